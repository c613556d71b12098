import { z } from 'zod';
import { FORM_TYPE, json, type KindSpec, readForm } from './spec';

const Body = z.object({ content: z.string().min(1).max(10_000) });

/** The REST API of Zulip. */
export const zulip: KindSpec<'zulip'> = {
  config: (url) => ({
    siteUrl: url,
    botEmail: 'bot@example.org',
    apiKey: 'zulip-secret',
    stream: 'ops',
    topic: 'Upwatch',
  }),
  secrets: ['zulip-secret'],
  request: /^POST \/api\/v1\/messages$/,
  headers: {
    ...FORM_TYPE,
    authorization: new RegExp(`^Basic ${Buffer.from('bot@example.org:zulip-secret').toString('base64')}$`),
  },
  read: readForm,
  body: z.union([
    Body.extend({
      type: z.enum(['stream', 'channel']),
      to: z.literal('ops'),
      topic: z.string().min(1).max(60),
    }).strict(),
    Body.strict(),
  ]),
  good: json(200, { result: 'success', msg: '', id: 42 }),
  text: ({ content }: z.infer<typeof Body>) => content,
  markup: 'zulip',
  failure: (status, msg) => json(status, { result: 'error', msg, code: 'STREAM_DOES_NOT_EXIST' }),
  permanent: [400, 401, 403],
  passing: [500],
  throttled: {
    answer: json(429, {
      result: 'error',
      code: 'RATE_LIMIT_HIT',
      msg: 'API usage exceeded rate limit',
      'retry-after': 28.2,
    }),
    seconds: 29,
  },
  update: { ref: '42', request: /^PATCH \/api\/v1\/messages\/42$/ },
};
