import { z } from 'zod';
import { bytes, JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({ roomId: z.string(), markdown: bytes(7439).min(1) });

/** The Messages API of Webex. */
export const webex: KindSpec<'webex'> = {
  config: () => ({ botToken: 'webex-secret', roomId: 'Y2lzY29zcGFyazovL3Jvb20' }),
  secrets: ['webex-secret'],
  request: /^POST \/webexapis\.com\/v1\/messages$/,
  headers: { ...JSON_TYPE, authorization: /^Bearer webex-secret$/ },
  read: readJson,
  body: Body,
  good: json(200, { id: 'Y2lzY29zcGFyazovL21lc3NhZ2U' }),
  text: ({ markdown }: z.infer<typeof Body>) => markdown,
  markup: 'webex',
  failure: (status, message) => json(status, { message, errors: [{ description: message }], trackingId: 'T1' }),
  permanent: [400, 401, 403, 404],
  passing: [500, 502],
  throttled: {
    answer: json(429, { message: 'Too many requests', trackingId: 'T2' }, { 'retry-after': '11' }),
    seconds: 11,
  },
  update: {
    ref: 'Y2lzY29zcGFyazovL21lc3NhZ2U',
    request: /^PUT \/webexapis\.com\/v1\/messages\/Y2lzY29zcGFyazovL21lc3NhZ2U$/,
  },
};
