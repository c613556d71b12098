import type { ChannelDefinition } from '../definition';
import { SlackConfig } from './config';

export const slack = {
  label: 'Slack',
  medium: 'chat',
  schema: SlackConfig,
  description: 'The URL of an incoming webhook of Slack.',
  secrets: { webhookUrl: 'credential' },
  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<SlackConfig>;
