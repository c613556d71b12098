import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, Token } from '../fields';

export const PushbulletConfig = z.strictObject({
  accessToken: secret(Token, 'Enter the access token as Pushbullet shows it: o.…'),
  channelTag: z
    .string()
    .regex(/^[\w-]{0,64}$/, { error: 'Enter the tag of a channel.' })
    .default(''),
});
export type PushbulletConfig = z.infer<typeof PushbulletConfig>;

export const pushbullet = {
  ...channelKinds.pushbullet,
  summary: 'Access token',
  textLimit: 3_000,

  schema: PushbulletConfig,
  fields: {
    accessToken: {
      label: 'Access token',
      kind: 'secret',
      placeholder: 'o.…',
      help: 'In Pushbullet: Settings, Account, Create Access Token.',
    },
    channelTag: {
      label: 'Channel tag',
      kind: 'text',
      optional: true,
      help: 'To push to all subscribers of a channel that you own. Leave empty for your own devices.',
    },
  },
  description: 'Pushes of Pushbullet to all devices of an account, or to a channel.',
  secrets: { accessToken: 'credential' },

  destination: ({ accessToken, channelTag }) => (channelTag ? `#${channelTag}` : accessToken),
} satisfies ChannelDefinition<PushbulletConfig>;
