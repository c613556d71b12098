import type { ChannelConfig } from '@/server/notifications/schema';
import { KEPT, type KindForm } from './kind-form';

export const line: KindForm<keyof ChannelConfig<'line'>> = {
  note: 'Messaging API',
  fields: [
    { name: 'channelAccessToken', label: 'Channel access token', helpOnEdit: KEPT },
    { name: 'to', label: 'Send to', help: 'The ID of a user, group, or room.' },
  ],
};
