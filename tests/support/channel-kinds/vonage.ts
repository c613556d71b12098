import { z } from 'zod';
import { gsmEnd, JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  channel: z.literal('sms'),
  message_type: z.literal('text'),
  from: z.string().regex(/^[A-Za-z0-9 ]{1,15}$/),
  to: z.string().regex(/^\d{7,15}$/),
  text: gsmEnd(z.string().min(1).max(1000)),
  client_ref: z.string().max(100),
});

/** The Messages API of Vonage, at the host of a region. */
export const vonage: KindSpec<'vonage'> = {
  config: () => ({ apiKey: 'abcd1234', apiSecret: 'vonage-secret', from: 'Upwatch', to: '+15550123456', region: 'eu' }),
  secrets: ['vonage-secret'],
  request: /^POST \/api-eu\.vonage\.com\/v1\/messages$/,
  headers: {
    ...JSON_TYPE,
    authorization: new RegExp(`^Basic ${Buffer.from('abcd1234:vonage-secret').toString('base64')}$`),
  },
  read: readJson,
  body: Body,
  good: json(202, { message_uuid: 'm1' }),
  text: ({ text }: z.infer<typeof Body>) => text,
  markup: 'plain',
  failure: (status, detail) =>
    json(status, { type: 'https://developer.vonage.com/api-errors', title: 'Rejected', detail }),
  permanent: [401, 402, 403, 422],
  passing: [500],
  throttled: {
    answer: json(429, { title: 'Rate Limit Hit', detail: 'Please wait' }, { 'retry-after': '2' }),
    seconds: 2,
  },
};
