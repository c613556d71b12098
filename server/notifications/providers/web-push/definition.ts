import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, WebAddress } from '../fields';

const ENTER = 'Enter the subscription as the browser gives it, or choose "Use this browser".';
/** The schema of bytes in base64url without padding. */
const bytes = (characters: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), { error: ENTER });
/** A point of P-256, uncompressed. */
const PublicKey = bytes(87);

/** A push subscription of a browser (RFC 8030, RFC 8291). */
export const WebPushConfig = z.strictObject({
  endpoint: WebAddress,
  p256dh: PublicKey,
  auth: secret(bytes(22), ENTER),
  /** This instance's key that the browser subscribed with. */
  serverKey: PublicKey,
  device: z.string().trim().max(100).default(''),
});
export type WebPushConfig = z.infer<typeof WebPushConfig>;

const help = 'From the subscription of the browser (PushSubscription.toJSON).';

export const webPush = {
  ...channelKinds.web_push,
  summary: 'Notifications in a browser',
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
