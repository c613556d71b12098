import type { ChannelDefinition } from '../definition';
import { SlackConfig } from './config';

export const slack = {
  label: 'Slack',
  category: 'chat',
  summary: 'Incoming webhook',
  textLimit: 12_000,
  schema: SlackConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://hooks.slack.com/services/…',
      help: 'In Slack: Apps, Incoming Webhooks, Add to Slack, choose a channel, copy the Webhook URL.',
    },
  },
  description: 'The URL of an incoming webhook of Slack.',
  secrets: { webhookUrl: 'credential' },
  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<SlackConfig>;
