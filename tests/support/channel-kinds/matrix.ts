import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Content = z.object({
  msgtype: z.enum(['m.text', 'm.notice']),
  body: z.string().min(1),
  format: z.literal('org.matrix.custom.html'),
  formatted_body: z.string().min(1),
  'm.mentions': z.strictObject({}),
});
const CODES: Record<number, string> = {
  401: 'M_UNKNOWN_TOKEN',
  403: 'M_FORBIDDEN',
  404: 'M_NOT_FOUND',
  405: 'M_UNRECOGNIZED',
  413: 'M_TOO_LARGE',
};

/** The client-server API of Matrix. An event may have 65,536 bytes. */
export const matrix: KindSpec<'matrix'> = {
  config: (url) => ({ homeserverUrl: url, accessToken: 'matrix-secret', roomId: '!ops:example.org' }),
  secrets: ['matrix-secret'],
  request: /^PUT \/_matrix\/client\/v3\/rooms\/!ops%3Aexample\.org\/send\/m\.room\.message\/[0-9A-Za-z]+$/,
  headers: { ...JSON_TYPE, authorization: /^Bearer matrix-secret$/ },
  read: readJson,
  body: Content.extend({
    'm.new_content': Content.optional(),
    'm.relates_to': z.strictObject({ rel_type: z.literal('m.replace'), event_id: z.literal('$event') }).optional(),
  })
    .strict()
    .refine((body) => Buffer.byteLength(JSON.stringify(body)) <= 64_000),
  good: json(200, { event_id: '$event' }),
  text: (body: z.infer<typeof Content>) => body.formatted_body,
  markup: 'html',
  failure: (status, error) => json(status, { errcode: CODES[status] ?? 'M_UNKNOWN', error }),
  permanent: [401, 403, 404, 405, 413],
  passing: [500],
  throttled: {
    answer: json(429, { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many', retry_after_ms: 2500 }),
    seconds: 3,
  },
  update: {
    ref: '$event',
    request: /^PUT \/_matrix\/client\/v3\/rooms\/!ops%3Aexample\.org\/send\/m\.room\.message\/[0-9a-f]{64}$/,
  },
};
