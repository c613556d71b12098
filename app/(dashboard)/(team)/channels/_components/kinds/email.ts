import type { ChannelConfig } from '@/server/notifications/schema';
import type { KindForm } from './kind-form';

export const email: KindForm<keyof ChannelConfig<'email'>> = {
  note: 'One address',
  fields: [
    { name: 'to', label: 'Send to', inputMode: 'email', type: 'email', placeholder: 'oncall@northwind.example' },
  ],
};
