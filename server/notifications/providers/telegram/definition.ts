import type { ChannelDefinition } from '../definition';
import { TelegramConfig } from './config';

export const telegram = {
  label: 'Telegram',
  medium: 'chat',
  schema: TelegramConfig,
  description: 'Messages of a bot to a chat, by the Telegram Bot API.',
  secrets: { botToken: 'credential' },
  endpoint: 'apiUrl',
  destination: ({ chatId }) => chatId,
} satisfies ChannelDefinition<TelegramConfig>;
