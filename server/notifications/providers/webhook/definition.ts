import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, WebAddress } from '../fields';

/** Standard Webhooks: a secret that starts with `whsec_` is base64, any other its UTF-8 bytes. */
const WebhookSecret = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (text) =>
      !text.startsWith('whsec_') ||
      /^whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/.test(text),
  );

export const WebhookConfig = z.strictObject({
  url: WebAddress,
  secret: secret(WebhookSecret, 'Enter up to 500 characters; after "whsec_" they must be base64.').optional(),
});
export type WebhookConfig = z.infer<typeof WebhookConfig>;

export const webhook = {
  ...channelKinds.webhook,
  summary: 'Signed JSON',
  schema: WebhookConfig,
  fields: {
    url: { label: 'URL', kind: 'url', placeholder: 'https://hooks.northwind.example/upwatch' },
    secret: {
      label: 'Signing secret',
      kind: 'secret',
      optional: true,
      help: 'Leave empty to generate one. It is shown once.',
    },
  },
  description:
    'Signed JSON requests according to Standard Webhooks. Without a secret, one is generated and shown once.',
  secrets: { url: 'url', secret: 'credential' },
  signingSecret: 'secret',
  endpoint: 'url',
  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<WebhookConfig>;
