import type { ChannelDefinition } from '../definition';
import { WebPushConfig } from './config';

const help = 'From the subscription of the browser (PushSubscription.toJSON).';

export const webPush = {
  label: 'Browser push',
  category: 'email-and-phone',
  summary: 'Notifications of a browser',
  schema: WebPushConfig,
  fields: {
    device: { label: 'Browser', kind: 'text', optional: true },
    endpoint: { label: 'Endpoint', kind: 'url', help },
    p256dh: { label: 'Public key (p256dh)', kind: 'text', help },
    auth: { label: 'Authentication secret (auth)', kind: 'secret', help },
    serverKey: {
      label: 'Server key',
      kind: 'text',
      help: 'The public key of this instance that the browser subscribed with (GET /dashboard/push-key).',
    },
  },
  description: 'A push subscription of a browser, made with the key of `GET /dashboard/push-key`.',
  secrets: { endpoint: 'url', auth: 'credential' },
  endpoint: 'endpoint',
  destination: ({ device, endpoint }) => device || endpoint,
  textLimit: 2_000,
} satisfies ChannelDefinition<WebPushConfig>;
