import type { ChannelConfig } from '@/server/notifications/schema';
import { KEPT, type KindForm } from './kind-form';

export const discord: KindForm<keyof ChannelConfig<'discord'>> = {
  note: 'Channel webhook',
  fields: [
    {
      name: 'webhookUrl',
      label: 'Webhook URL',
      inputMode: 'url',
      placeholder: 'https://discord.com/api/webhooks/…',
      helpOnEdit: KEPT,
    },
  ],
};
