import type { ChannelConfig } from '@/server/notifications/schema';
import { KEPT, type KindForm } from './kind-form';

export const slack: KindForm<keyof ChannelConfig<'slack'>> = {
  note: 'Incoming webhook',
  fields: [
    {
      name: 'webhookUrl',
      label: 'Webhook URL',
      inputMode: 'url',
      placeholder: 'https://hooks.slack.com/services/…',
      helpOnEdit: KEPT,
    },
  ],
};
