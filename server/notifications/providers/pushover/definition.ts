import type { ChannelDefinition } from '../definition';
import { PushoverConfig } from './config';

export const pushover = {
  label: 'Pushover',
  category: 'email-and-phone',
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
