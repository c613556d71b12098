import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  // No alias: without the permission message-impersonate, it is an error.
  text: z.string().min(1).max(5000),
  attachments: z.array(z.strictObject({ color: z.string(), text: z.string().max(5000) })).length(1),
});

/** Incoming integrations of Rocket.Chat. They also report failures with 200. */
export const rocketchat: KindSpec<'rocketchat'> = {
  config: (url) => ({ webhookUrl: `${url}/hooks/1/rocket-secret` }),
  secrets: ['rocket-secret'],
  request: /^POST \/hooks\/1\/rocket-secret$/,
  headers: JSON_TYPE,
  read: readJson,
  body: Body.refine(({ text, attachments }) => text.length + (attachments[0]?.text.length ?? 0) <= 5000),
  good: json(200, { success: true }),
  text: ({ text, attachments }: z.infer<typeof Body>) => [text, ...attachments.map((each) => each.text)].join('\n'),
  markup: 'rocketchat',
  failure: (status, error) => json(status, { success: false, error }),
  permanent: [200, 400, 404],
  passing: [500],
  throttled: {
    answer: json(429, {
      success: false,
      error:
        'Error, too many requests. Please slow down. You must wait 14 seconds before trying this endpoint again. [error-too-many-requests]',
    }),
    seconds: 14,
  },
};
