import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { SaveResponseBody, saveResponseBodyField, secret, Token, WebAddress } from '../fields';

export const ZulipConfig = z.strictObject({
  siteUrl: WebAddress,
  botEmail: z.email({ error: "Enter the bot's email address." }).max(254),
  apiKey: secret(Token, "Enter the bot's API key."),
  stream: z
    .string({ error: 'Enter the name of a channel.' })
    .trim()
    .min(1, { error: 'Enter the name of a channel.' })
    .max(60),
  topic: z.string().trim().max(60).default('Upwatch'),
  saveResponseBody: SaveResponseBody,
});
export type ZulipConfig = z.infer<typeof ZulipConfig>;

export const zulip = {
  ...channelKinds.zulip,
  summary: 'Bot email and API key',
  textLimit: 4_500,
  schema: ZulipConfig,
  fields: {
    siteUrl: {
      label: 'Organization URL',
      kind: 'url',
      placeholder: 'https://northwind.zulipchat.com',
      help: 'The address at which you open Zulip.',
    },
    botEmail: {
      label: 'Bot email',
      kind: 'email',
      placeholder: 'upwatch-bot@northwind.zulipchat.com',
      help: 'In Zulip: Personal settings, Bots, Add a new bot, Generic bot. A bot of the type Incoming webhook works too, but cannot change messages that it sent.',
    },
    apiKey: { label: 'API key', kind: 'secret', help: 'In Zulip: Personal settings, Bots, the API key of the bot.' },
    stream: {
      label: 'Channel',
      kind: 'text',
      placeholder: 'operations',
      help: 'The name of the channel. For a private one, subscribe the bot first.',
    },
    topic: {
      label: 'Topic',
      kind: 'text',
      optional: true,
      placeholder: 'Upwatch',
      help: 'The topic of the messages in the channel.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'Messages of a Zulip bot to a channel.',
  secrets: { apiKey: 'credential' },
  endpoint: 'siteUrl',
  destination: ({ stream, topic }) => `#${stream} > ${topic}`,
} satisfies ChannelDefinition<ZulipConfig>;
