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
