import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret } from '../fields';

const Key = z.string().regex(/^[A-Za-z0-9]{30}$/);

export const PushoverConfig = z.strictObject({
  userKey: secret(Key, 'Enter the user or group key, 30 letters and digits.'),
  apiToken: secret(Key, 'Enter the API token of the application, 30 letters and digits.'),
  device: z
    .string()
    .regex(/^[\w-]{0,25}(,[\w-]{1,25}){0,20}$/, { error: 'Enter the names of devices, separated by commas.' })
    .default(''),
});
export type PushoverConfig = z.infer<typeof PushoverConfig>;

export const pushover = {
  ...channelKinds.pushover,
  summary: 'User key and app token',
  textLimit: 700,

  schema: PushoverConfig,
  fields: {
    userKey: {
      label: 'User key',
      kind: 'secret',
      help: 'On your Pushover dashboard: copy Your User Key, or the key of a group.',
    },
    apiToken: {
      label: 'API token',
      kind: 'secret',
      help: 'On your Pushover dashboard: Create an Application/API Token, then copy the API Token.',
    },
    device: {
      label: 'Device',
      kind: 'text',
      optional: true,
      help: 'Leave empty for all devices of the user.',
    },
  },
  description: 'Push notifications of Pushover to a user or a group.',
  secrets: { userKey: 'credential', apiToken: 'credential' },

  destination: ({ userKey, device }) => [userKey, device].filter(Boolean).join(' '),
} satisfies ChannelDefinition<PushoverConfig>;
