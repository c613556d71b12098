import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { incomingWebhook } from '../fields';

/** The y-coordinates of the eight points of small order of Ed25519, as they are encoded, without the sign of x (RFC 8032 §5.1.2). */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** Values that are not smaller than the field's prime, which do not encode a key. */
const TOO_LARGE = /^(?:e[d-f]|f[\da-f])(?:ff){30}7f$/;

/** Whether only the holder of the private key can sign for this public key. Anybody can sign for a key of small order. */
export function isSafeKey(publicKey: string): boolean {
  const sign = Number.parseInt(publicKey.slice(-2), 16);
  const y = publicKey.slice(0, -2).toLowerCase() + (sign % 0x80).toString(16).padStart(2, '0');
  return !SMALL_ORDER.has(y) && !TOO_LARGE.test(y);
}

const HELP = 'Enter the public key as Discord shows it: 64 hexadecimal digits.';

/** A raw Ed25519 key. */
const PublicKey = z
  .string()
  .trim()
  .regex(/^([0-9a-f]{64})?$/i, { error: HELP })
  .refine((key) => key === '' || isSafeKey(key), { error: HELP });

export const DiscordConfig = incomingWebhook().extend({ publicKey: PublicKey.optional() });
export type DiscordConfig = z.infer<typeof DiscordConfig>;

export const discord = {
  ...channelKinds.discord,
  summary: 'Channel webhook',
  textLimit: 3_000,
  schema: DiscordConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://discord.com/api/webhooks/…',
      help: 'In Discord: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL. For a forum, add ?thread_id= with the ID of a post.',
    },
    publicKey: {
      label: 'Public key',
      kind: 'text',
      optional: true,
      placeholder: '64 hexadecimal digits',
      help: 'Adds an Acknowledge button to alerts. The webhook must belong to an application. In the Discord Developer Portal: your application, General Information, Public Key.',
    },
  },
  description: 'The URL of an incoming webhook of Discord.',
  secrets: { webhookUrl: 'credential' },
  callback: {
    label: 'Interactions Endpoint URL',
    help: 'In the Discord Developer Portal: your application, General Information, Interactions Endpoint URL. Save the public key here first: Discord tests the URL. This adds an Acknowledge button to alerts. The webhook must belong to that application: its bot creates it with Create Webhook of the Discord API. Discord shows no buttons in messages of other webhooks.',
  },
  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<DiscordConfig>;
