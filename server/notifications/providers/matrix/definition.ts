import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { SaveResponseBody, saveResponseBodyField, secret, Token, WebAddress } from '../fields';

export const MatrixConfig = z.strictObject({
  homeserverUrl: WebAddress,
  accessToken: secret(Token, 'Enter the access token of the account that posts.'),
  roomId: z
    .string()
    .trim()
    .max(255)
    .regex(/^![^\s]+$/, {
      error: 'Enter the internal room ID, which starts with an exclamation mark: !abc:example.org.',
    }),
  saveResponseBody: SaveResponseBody,
});
export type MatrixConfig = z.infer<typeof MatrixConfig>;

export const matrix = {
  ...channelKinds.matrix,
  summary: 'Homeserver and room',
  textLimit: 4_500,
  schema: MatrixConfig,
  fields: {
    homeserverUrl: {
      label: 'Homeserver URL',
      kind: 'url',
      placeholder: 'https://matrix.northwind.example',
      help: 'In Element: All settings, Help & About, Homeserver.',
    },
    accessToken: {
      label: 'Access token',
      kind: 'secret',
      help: 'From an account that has joined the room. In Element: All settings, Help & About, Access Token. The token stops working when that session is signed out.',
    },
    roomId: {
      label: 'Room ID',
      kind: 'text',
      placeholder: '!opsalerts:northwind.example',
      help: 'In Element: Room settings, Advanced, Internal room ID. Messages are not end-to-end encrypted.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'Messages of an account to a Matrix room.',
  secrets: { accessToken: 'credential' },
  endpoint: 'homeserverUrl',
  destination: ({ roomId }) => roomId,
} satisfies ChannelDefinition<MatrixConfig>;
