import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  message: z.string().min(1).max(2000),
  number: z.string().regex(/^\+\d+$/),
  recipients: z.array(z.string()).length(1),
  text_mode: z.enum(['normal', 'styled']),
});

/** signal-cli-rest-api. It answers 400 to all failures, also passing ones, so the text decides. */
export const signal: KindSpec<'signal'> = {
  config: (url) => ({ serverUrl: url, number: '+15550100100', to: '+15550123456' }),
  secrets: [],
  request: /^POST \/v2\/send$/,
  headers: JSON_TYPE,
  read: readJson,
  body: Body,
  good: json(201, { timestamp: '1700000000000' }),
  text: ({ message }: z.infer<typeof Body>) => message,
  markup: 'plain',
  failure: (status, text) =>
    json(status, {
      error: status === 404 ? `Specified account does not exist: ${text}` : `Failed to send message: ${text}`,
    }),
  permanent: [404],
  passing: [400, 500],
  judged: [
    { answer: json(400, { error: 'User is not a member in group: Ops (aGk=)' }), permanent: true },
    { answer: json(400, { error: 'Unregistered user "+15550123456"' }), permanent: true },
    {
      answer: json(400, { error: 'RetryLaterException: Retry after 4 seconds (AttachmentInvalidException)' }),
      permanent: false,
    },
  ],
  throttled: {
    answer: json(429, {
      error: 'Failed to send message: Rate limit exceeded. Retry after 8 seconds (RateLimitException).',
      challenge_tokens: ['c1'],
      account: '+15550100100',
    }),
    seconds: 8,
  },
};
