import type { ChannelConfig } from '@/server/notifications/schema';
import { KEPT, type KindForm } from './kind-form';

export const telegram: KindForm<keyof ChannelConfig<'telegram'>> = {
  note: 'Bot message',
  fields: [
    {
      name: 'botToken',
      label: 'Bot token',
      help: 'From @BotFather.',
      helpOnEdit: `${KEPT} Required again when the API URL leads to another server.`,
    },
    { name: 'chatId', label: 'Chat ID', help: 'Of a person, group, or channel that the bot may write to.' },
    {
      name: 'apiUrl',
      label: 'API URL',
      inputMode: 'url',
      optional: true,
      placeholder: 'https://api.telegram.org',
      help: 'Only for a Bot API server of your own.',
    },
  ],
};
