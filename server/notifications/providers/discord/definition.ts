import type { ChannelDefinition } from '../definition';
import { DiscordConfig } from './config';

export const discord = {
  label: 'Discord',
  medium: 'chat',
  schema: DiscordConfig,
  description: 'The URL of an incoming webhook of Discord.',
  secrets: { webhookUrl: 'credential' },
  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<DiscordConfig>;
