import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { PhoneNumber, secret } from '../fields';

const INVALID_FROM = {
  error: 'Enter a phone number such as +15550123456, a messaging service SID (MG…), or a sender ID.',
};

export const TwilioConfig = z.strictObject({
  accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, { error: 'Enter the Account SID: AC and 32 characters.' }),
  authToken: secret(z.string().regex(/^[0-9a-zA-Z]{32}$/), 'Enter the auth token, 32 characters.'),
  from: z
    .string()
    .trim()
    // A sender ID contains a letter, because digits alone are a short code. Written without lookahead, which linear-time engines do not support.
    .regex(/^(\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-fA-F]{32}|[-0-9 +_&]{0,10}[A-Za-z][-A-Za-z0-9 +_&]{0,10})$/, INVALID_FROM)
    .refine((from) => from.length <= 11 || /^(\+\d+|MG[0-9a-fA-F]{32})$/.test(from), INVALID_FROM),
  to: PhoneNumber,
});
export type TwilioConfig = z.infer<typeof TwilioConfig>;

export const twilio = {
  ...channelKinds.twilio,
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
