import type { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { incomingWebhook } from '../fields';

export const MattermostConfig = incomingWebhook();
export type MattermostConfig = z.infer<typeof MattermostConfig>;

export const mattermost = {
  ...channelKinds.mattermost,
  summary: 'Incoming webhook',
  textLimit: 7_000,
  schema: MattermostConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://mattermost.northwind.example/hooks/…',
      help: 'In Mattermost: Product menu, Integrations, Incoming Webhooks, Add Incoming Webhook.',
    },
  },
  description: 'The URL of an incoming webhook of a Mattermost server.',
  secrets: { webhookUrl: 'credential' },

  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<MattermostConfig>;
