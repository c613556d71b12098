import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { PhoneNumber, WebAddress } from '../fields';

export const SignalConfig = z.strictObject({
  serverUrl: WebAddress,
  number: PhoneNumber,
  to: z
    .string()
    .trim()
    .max(200)
    .regex(/^(\+[1-9]\d{6,14}|group\.[A-Za-z0-9+/=]+)$/, {
      error: 'Enter a phone number with its country code, or a group ID: group.…',
    }),
});
export type SignalConfig = z.infer<typeof SignalConfig>;

export const signal = {
  ...channelKinds.signal,
  summary: 'Signal REST gateway',
  textLimit: 1_500,
  schema: SignalConfig,
  fields: {
    serverUrl: {
      label: 'Gateway URL',
      kind: 'url',
      placeholder: 'https://signal.northwind.example',
      help: 'Your own signal-cli-rest-api server.',
    },
    number: {
      label: 'From',
      kind: 'text',
      placeholder: '+4915550123456',
      help: 'The number registered at the gateway.',
    },
    to: {
      label: 'Send to',
      kind: 'text',
      placeholder: '+4915550654321',
      help: 'A phone number, or the ID of a group (group.…), as the gateway lists it at /v1/groups/{number}.',
    },
  },
  description: 'Signal messages through a signal-cli REST API of your own.',
  secrets: {},

  destination: ({ to }) => to,
} satisfies ChannelDefinition<SignalConfig>;
