import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, Token } from '../fields';

export const LineConfig = z.strictObject({
  channelAccessToken: secret(Token, 'Enter the channel access token as LINE shows it.'),
  to: z.string().regex(/^[\x21-\x7e]{1,100}$/, { error: 'Enter the ID of a user, group, or room.' }),
});
export type LineConfig = z.infer<typeof LineConfig>;

export const line = {
  ...channelKinds.line,
  summary: 'Messaging API',
  textLimit: 4_000,
  schema: LineConfig,
  fields: {
    channelAccessToken: {
      label: 'Channel access token',
      kind: 'secret',
      help: 'In the LINE Developers Console: your channel, Messaging API, Channel access token (long-lived), Issue.',
    },
    to: {
      label: 'Send to',
      kind: 'text',
      placeholder: 'U4af4980629…',
      help: 'The ID of a user, group, or room. Your own: Basic settings, Your user ID.',
    },
  },
  description: 'Push messages of the LINE Messaging API.',
  secrets: { channelAccessToken: 'credential' },
  destination: ({ to }) => to,
} satisfies ChannelDefinition<LineConfig>;
