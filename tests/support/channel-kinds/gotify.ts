import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  title: z.string().min(1),
  message: z.string().min(1),
  priority: z.int().min(0).max(10),
  extras: z.strictObject({
    'client::display': z.strictObject({ contentType: z.literal('text/plain') }),
    'client::notification': z.strictObject({ click: z.strictObject({ url: z.url() }) }),
  }),
});

/** Messages of an application of Gotify. */
export const gotify: KindSpec<'gotify'> = {
  config: (url) => ({ serverUrl: `${url}/gotify/`, appToken: 'gotify-secret' }),
  secrets: ['gotify-secret'],
  request: /^POST \/gotify\/message$/,
  headers: { ...JSON_TYPE, 'x-gotify-key': /^gotify-secret$/ },
  read: readJson,
  body: Body,
  good: json(200, { id: 1, appid: 1 }),
  text: ({ title, message }: z.infer<typeof Body>) => `${title}\n${message}`,
  markup: 'plain',
  failure: (status, text) => json(status, { error: 'Unauthorized', errorCode: status, errorDescription: text }),
  permanent: [400, 401, 403],
  passing: [500],
  throttled: {
    answer: json(429, { error: 'Too Many Requests', errorCode: 429, errorDescription: 'slow' }, { 'retry-after': '4' }),
    seconds: 4,
  },
};
