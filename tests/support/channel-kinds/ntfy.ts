import { z } from 'zod';
import { bytes, JSON_TYPE, json, type KindSpec, readJson } from './spec';

/** A server reads twice its limit for messages (4,096 bytes) of JSON. */
const MOST_JSON = 8_192;

const Body = z.strictObject({
  topic: z.string().regex(/^[-\w]{1,64}$/),
  sequence_id: z.string().regex(/^[-\w]{1,64}$/),
  title: bytes(1024),
  message: bytes(4096).min(1),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string()),
  click: z.url(),
  actions: z.array(z.strictObject({ action: z.literal('view'), label: z.string(), url: z.url() })).max(3),
});

/** Publishing as JSON to an ntfy server. */
export const ntfy: KindSpec<'ntfy'> = {
  config: (url) => ({ serverUrl: url, topic: 'alerts', accessToken: 'tk_ntfysecret' }),
  secrets: ['tk_ntfysecret'],
  request: /^POST \/$/,
  headers: { ...JSON_TYPE, authorization: /^Bearer tk_ntfysecret$/ },
  read: (request) => {
    if (request.bytes.length > MOST_JSON) throw new Error('JSON body too large');
    return readJson(request);
  },
  body: Body,
  good: json(200, { id: 'm1', event: 'message', topic: 'alerts' }),
  text: ({ title, message }: z.infer<typeof Body>) => `${title}\n${message}`,
  markup: 'plain',
  update: { ref: '01KACV6T3Q0000000000000000', request: /^POST \/$/ },
  failure: (status, error) =>
    json(status, { code: status * 100 + 1, http: status, error, link: 'https://ntfy.sh/docs' }),
  permanent: [400, 401, 403, 413],
  passing: [500, 507],
  throttled: {
    answer: json(429, { code: 42901, http: 429, error: 'limit reached' }, { 'retry-after': '5' }),
    seconds: 5,
  },
};
