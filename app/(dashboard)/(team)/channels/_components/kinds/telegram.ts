import type { ChannelConfig } from '@/server/notifications/schema';
import { KEPT, type KindForm } from './kind-form';

export const telegram: KindForm<keyof ChannelConfig<'telegram'>> = {
  note: 'Bot message',
  fields: [
    {
      name: 'botToken',
      label: 'Bot token',
      help: 'From @BotFather.',
      helpOnEdit: `${KEPT} Required again if the API URL points to another server.`,
    },
    { name: 'chatId', label: 'Chat ID', help: 'The ID of a user, group, or channel that the bot can write to.' },
    {
      name: 'apiUrl',
      label: 'API URL',
      inputMode: 'url',
      optional: true,
      placeholder: 'https://api.telegram.org',
      help: 'Only if you run your own Bot API server.',
    },
  ],
};
