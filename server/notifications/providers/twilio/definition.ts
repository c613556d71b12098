import type { ChannelDefinition } from '../definition';
import { TwilioConfig } from './config';

export const twilio = {
  label: 'Twilio SMS',
  category: 'email-and-phone',
  summary: 'Text message',
  textLimit: 150,
  schema: TwilioConfig,
  fields: {
    accountSid: {
      label: 'Account SID',
      kind: 'text',
      placeholder: 'AC…',
      help: 'In the Twilio Console: Account Info.',
    },
    authToken: { label: 'Auth token', kind: 'secret', help: 'In the Twilio Console: Account Info, Auth Token.' },
    from: {
      label: 'From',
      kind: 'text',
      placeholder: '+15550123456',
      help: 'A phone number of your account (Phone Numbers, Manage, Active numbers), a messaging service SID, or a sender ID.',
    },
    to: { label: 'Send to', kind: 'text', placeholder: '+4915550123456', help: 'With the country code.' },
  },
  description: 'Text messages of Twilio.',
  secrets: { authToken: 'credential' },

  destination: ({ to }) => to,
} satisfies ChannelDefinition<TwilioConfig>;
