import type { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { incomingWebhook } from '../fields';

export const RocketchatConfig = incomingWebhook();
export type RocketchatConfig = z.infer<typeof RocketchatConfig>;

export const rocketchat = {
  ...channelKinds.rocketchat,
  summary: 'Incoming webhook',
  textLimit: 2_000,
  schema: RocketchatConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://chat.northwind.example/hooks/…/…',
      help: 'In Rocket.Chat: Workspace, Integrations, New, Incoming. Turn it on and save, then copy the Webhook URL. Its Alias is the name of the sender.',
    },
  },
  description: 'The URL of an incoming integration of a Rocket.Chat server.',
  secrets: { webhookUrl: 'credential' },

  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<RocketchatConfig>;
