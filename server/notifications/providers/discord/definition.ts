import type { ChannelDefinition } from '../definition';
import { DiscordConfig } from './config';

export const discord = {
  label: 'Discord',
  category: 'chat',
  summary: 'Channel webhook',
  textLimit: 3_000,
  schema: DiscordConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://discord.com/api/webhooks/…',
      help: 'In Discord: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.',
    },
  },
  description: 'The URL of an incoming webhook of Discord.',
  secrets: { webhookUrl: 'credential' },
  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<DiscordConfig>;
