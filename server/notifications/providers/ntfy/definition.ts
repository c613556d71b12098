import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { optionalSecret, SaveResponseBody, saveResponseBodyField, Token, WebAddress } from '../fields';

export const NtfyConfig = z.strictObject({
  serverUrl: WebAddress.default('https://ntfy.sh'),
  topic: z.string().regex(/^[-\w]{1,64}$/, { error: 'Enter a topic: letters, digits, hyphens and underscores.' }),
  accessToken: optionalSecret(Token, 'Enter the access token as ntfy shows it: tk_…'),
  saveResponseBody: SaveResponseBody,
});
export type NtfyConfig = z.infer<typeof NtfyConfig>;

export const ntfy = {
  ...channelKinds.ntfy,
  summary: 'Topic on any server',
  textLimit: 1_300,
  schema: NtfyConfig,
  fields: {
    serverUrl: {
      label: 'Server URL',
      kind: 'url',
      optional: true,
      placeholder: 'https://ntfy.sh',
      help: 'Your own server, or https://ntfy.sh.',
    },
    topic: {
      label: 'Topic',
      kind: 'text',
      placeholder: 'northwind-alerts-x7k2',
      help: 'Anyone who knows a topic without access control can read it: choose a name that is hard to guess.',
    },
    accessToken: {
      label: 'Access token',
      kind: 'secret',
      optional: true,
      placeholder: 'tk_…',
      help: 'For a protected topic. In the ntfy web app: Account, Access tokens, Create access token.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'A topic of an ntfy server.',
  secrets: { accessToken: 'credential' },
  endpoint: 'serverUrl',
  destination: ({ serverUrl, topic }) => `${serverUrl.replace(/\/+$/, '')}/${topic}`,
} satisfies ChannelDefinition<NtfyConfig>;
