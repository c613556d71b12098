import type { ChannelDefinition } from '../definition';
import { WebhookConfig } from './config';

export const webhook = {
  label: 'Webhook',
  category: 'automation',
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
