import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { SaveResponseBody, saveResponseBodyField, secret, Token, WebAddress } from '../fields';

export const GotifyConfig = z.strictObject({
  serverUrl: WebAddress,
  appToken: secret(Token, 'Enter the token of the application as Gotify shows it.'),
  saveResponseBody: SaveResponseBody,
});
export type GotifyConfig = z.infer<typeof GotifyConfig>;

export const gotify = {
  ...channelKinds.gotify,
  summary: 'Server and app token',
  textLimit: 8_000,
  schema: GotifyConfig,
  fields: {
    serverUrl: {
      label: 'Server URL',
      kind: 'url',
      placeholder: 'https://gotify.northwind.example',
      help: 'The address at which you open Gotify.',
    },
    appToken: {
      label: 'App token',
      kind: 'secret',
      help: 'In Gotify: Apps, Create application, then show its token.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'An application of a Gotify server.',
  secrets: { appToken: 'credential' },
  endpoint: 'serverUrl',
  destination: ({ serverUrl }) => serverUrl,
} satisfies ChannelDefinition<GotifyConfig>;
