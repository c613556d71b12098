import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { PhoneNumber, secret, Token } from '../fields';

export const VonageConfig = z.strictObject({
  apiKey: z.string().regex(/^[0-9a-zA-Z]{6,32}$/, { error: 'Enter the API key as Vonage shows it.' }),
  apiSecret: secret(Token, 'Enter the API secret as Vonage shows it.'),
  from: z
    .string()
    .trim()
    .regex(/^(\+?[1-9]\d{6,14}|[A-Za-z0-9 ]{1,11})$/, {
      error: 'Enter a phone number or a sender ID of up to 11 letters.',
    }),
  to: PhoneNumber,
  region: z.enum(['global', 'us', 'eu', 'ap'], { error: 'Enter global, us, eu or ap.' }).default('global'),
});
export type VonageConfig = z.infer<typeof VonageConfig>;

export const vonage = {
  ...channelKinds.vonage,
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
