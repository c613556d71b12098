import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const Attachment = z.strictObject({
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  fallback: z.string().max(1000),
  text: z.string().max(16_383),
});

/** Incoming webhooks of Mattermost. */
export const mattermost: KindSpec<'mattermost'> = {
  config: (url) => ({ webhookUrl: `${url}/hooks/mattermost-secret` }),
  secrets: ['mattermost-secret'],
  request: /^POST \/hooks\/mattermost-secret$/,
  headers: JSON_TYPE,
  read: readJson,
  body: z.strictObject({ username: z.string(), attachments: z.array(Attachment).length(1) }),
  good: { status: 200, body: 'ok' },
  text: (body: { attachments: { text: string }[] }) => body.attachments.map(({ text }) => text).join('\n'),
  markup: 'mattermost',
  failure: (status, message) =>
    json(status, { id: 'web.incoming_webhook.invalid.app_error', message, status_code: status }),
  permanent: [400, 401, 403, 404],
  passing: [500],
  throttled: {
    answer: { status: 429, headers: { 'retry-after': '2', 'x-ratelimit-reset': '2' }, body: 'limit exceeded\n' },
    seconds: 2,
  },
};
