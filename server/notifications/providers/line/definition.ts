import type { ChannelDefinition } from '../definition';
import { LineConfig } from './config';

export const line = {
  label: 'LINE',
  medium: 'chat',
  schema: LineConfig,
  description: 'Push messages of the LINE Messaging API.',
  secrets: { channelAccessToken: 'credential' },
  destination: ({ to }) => to,
} satisfies ChannelDefinition<LineConfig>;
