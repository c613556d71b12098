import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

/** Push messages of the LINE Messaging API. */
export const line: KindSpec<'line'> = {
  config: () => ({ channelAccessToken: 'line-secret-token', to: 'U1' }),
  secrets: ['line-secret-token'],
  request: /^POST \/api\.line\.me\/v2\/bot\/message\/push$/,
  headers: {
    ...JSON_TYPE,
    authorization: /^Bearer line-secret-token$/,
    'x-line-retry-key': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  },
  read: readJson,
  body: z.strictObject({
    to: z.string(),
    messages: z
      .array(z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(5000) }))
      .min(1)
      .max(5),
  }),
  good: json(200, { sentMessages: [{ id: '1' }] }),
  text: (body: { messages: { text: string }[] }) => body.messages.map(({ text }) => text).join('\n'),
  markup: 'plain',
  failure: (status, message) =>
    json(status, { message: 'The request body has 1 error(s)', details: [{ message, property: 'messages[0].text' }] }),
  permanent: [400, 401, 403, 404],
  passing: [500],
  throttled: {
    answer: json(429, { message: 'The API rate limit has been exceeded.' }, { 'retry-after': '60' }),
    seconds: 60,
  },
};
