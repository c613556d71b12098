import type { ChannelDefinition } from '../definition';
import { VonageConfig } from './config';

export const vonage = {
  label: 'Vonage SMS',
  category: 'email-and-phone',
  summary: 'Text message',
  textLimit: 150,
  schema: VonageConfig,
  fields: {
    apiKey: {
      label: 'API key',
      kind: 'text',
      help: 'In the Vonage dashboard: API Settings, or the top of the home page.',
    },
    apiSecret: { label: 'API secret', kind: 'secret', help: 'In the Vonage dashboard: API Settings, Account secret.' },
    from: {
      label: 'From',
      kind: 'text',
      placeholder: '+15550123456',
      help: 'A number of your account (Numbers, Your numbers), or a sender ID where the country allows it.',
    },
    to: { label: 'Send to', kind: 'text', placeholder: '+4915550123456', help: 'With the country code.' },
    region: {
      label: 'Region',
      kind: 'select',
      optional: true,
      options: [
        { value: 'global', label: 'Nearest' },
        { value: 'us', label: 'United States' },
        { value: 'eu', label: 'Europe' },
        { value: 'ap', label: 'Asia and Pacific' },
      ],
    },
  },
  description: 'Text messages of Vonage, by its Messages API.',
  secrets: { apiSecret: 'credential' },

  destination: ({ to }) => to,
} satisfies ChannelDefinition<VonageConfig>;
