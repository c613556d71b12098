import type { ChannelConfig } from '@/server/notifications/schema';
import { KEPT, type KindForm } from './kind-form';

export const webhook: KindForm<keyof ChannelConfig<'webhook'>> = {
  note: 'Signed JSON',
  fields: [
    { name: 'url', label: 'URL', inputMode: 'url', placeholder: 'https://hooks.northwind.example/upwatch' },
    {
      name: 'secret',
      label: 'Signing secret',
      optional: true,
      help: 'Leave empty to generate one. It is shown once.',
      helpOnEdit: `${KEPT} Required again if the URL points to another server.`,
    },
  ],
};
