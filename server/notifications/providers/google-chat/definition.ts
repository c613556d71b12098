import type { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { incomingWebhook } from '../fields';

export const GoogleChatConfig = incomingWebhook();
export type GoogleChatConfig = z.infer<typeof GoogleChatConfig>;

export const googleChat = {
  ...channelKinds.google_chat,
  summary: 'Space webhook',
  textLimit: 6_000,
  schema: GoogleChatConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
      help: 'In Google Chat: the space, Apps & integrations, Webhooks, Add webhook, Copy link. It needs an account of Google Workspace.',
    },
  },
  description: 'The URL of an incoming webhook of a space in Google Chat.',
  secrets: { webhookUrl: 'credential' },

  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<GoogleChatConfig>;
