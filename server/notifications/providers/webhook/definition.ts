import type { ChannelDefinition } from '../definition';
import { WebhookConfig } from './config';

export const webhook = {
  label: 'Webhook',
  medium: 'http',
  schema: WebhookConfig,
  description: 'Signed as Standard Webhooks says. Without a secret one is generated, and shown once.',
  secrets: { url: 'url', secret: 'credential' },
  endpoint: 'url',
  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<WebhookConfig>;
