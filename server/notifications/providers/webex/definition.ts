import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, Token } from '../fields';

export const WebexConfig = z.strictObject({
  botToken: secret(Token, 'Enter the access token of the bot.'),
  roomId: z.string().regex(/^[A-Za-z0-9_=+/-]{10,200}$/, { error: 'Enter the ID of a space.' }),
});
export type WebexConfig = z.infer<typeof WebexConfig>;

export const webex = {
  ...channelKinds.webex,
  summary: 'Bot token and space',
  textLimit: 3_000,
  schema: WebexConfig,
  fields: {
    botToken: {
      label: 'Bot access token',
      kind: 'secret',
      help: 'At developer.webex.com: My Webex Apps, Create a New App, Create a Bot. Then add the bot to the space.',
    },
    roomId: {
      label: 'Space ID',
      kind: 'text',
      help: 'At developer.webex.com: API Reference, Rooms, List Rooms, Run: the id of the space. It starts with Y2lzY29z.',
    },
  },
  description: 'Messages of a bot to a Webex space.',
  secrets: { botToken: 'credential' },

  destination: ({ roomId }) => roomId,
} satisfies ChannelDefinition<WebexConfig>;
