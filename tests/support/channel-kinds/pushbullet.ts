import { z } from 'zod';
import { inSeconds, JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Body = z.strictObject({
  type: z.literal('link'),
  title: z.string(),
  body: z.string().max(4000),
  url: z.url(),
  guid: z.string(),
  channel_tag: z.string(),
});

/** Comes with every answer. */
const RATE = { 'x-ratelimit-limit': '32768', 'x-ratelimit-remaining': '32765', 'x-ratelimit-reset': inSeconds(1800) };

/** Pushes of Pushbullet. */
export const pushbullet: KindSpec<'pushbullet'> = {
  config: () => ({ accessToken: 'o.pushbullet-secret', channelTag: 'northwind' }),
  secrets: ['o.pushbullet-secret'],
  request: /^POST \/api\.pushbullet\.com\/v2\/pushes$/,
  headers: { ...JSON_TYPE, 'access-token': /^o\.pushbullet-secret$/ },
  read: readJson,
  body: Body,
  good: json(200, { iden: 'p1' }),
  text: ({ title, body }: z.infer<typeof Body>) => `${title}\n${body}`,
  markup: 'plain',
  failure: (status, message) => json(status, { error: { cat: '~(=^‥^)', message, type: 'invalid_request' } }, RATE),
  permanent: [400, 401, 403, 404],
  passing: [500],
  throttled: {
    answer: json(
      429,
      { error: { cat: '(=^‥^=)', message: 'You have been ratelimited.', type: 'ratelimited' } },
      { 'x-ratelimit-reset': inSeconds(600) },
    ),
    seconds: 600,
  },
};
