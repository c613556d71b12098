import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { incomingWebhook, optionalSecret } from '../fields';

const SigningSecret = z.string().regex(/^\w{16,128}$/);

export const SlackConfig = incomingWebhook().extend({
  signingSecret: optionalSecret(SigningSecret, 'Enter the signing secret as Slack shows it: 32 letters and digits.'),
});
export type SlackConfig = z.infer<typeof SlackConfig>;

export const slack = {
  ...channelKinds.slack,
  summary: 'Incoming webhook',
  textLimit: 9_000,
  schema: SlackConfig,
  fields: {
    webhookUrl: {
      label: 'Webhook URL',
      kind: 'secret',
      placeholder: 'https://hooks.slack.com/services/…',
      help: 'At api.slack.com/apps: Create New App, From scratch. Then Incoming Webhooks, turn on Activate Incoming Webhooks, Add New Webhook, choose a channel, copy the Webhook URL.',
    },
    signingSecret: {
      label: 'Signing secret',
      kind: 'secret',
      optional: true,
      placeholder: '8f742231b10e8888abcd99baac085bc2',
      help: 'Adds an Acknowledge button to alerts. In your Slack app: Basic Information, App Credentials, Signing Secret. The page of the channel shows the URL that the app needs.',
    },
  },
  description: 'The URL of an incoming webhook of Slack.',
  secrets: { webhookUrl: 'credential', signingSecret: 'credential' },
  callback: {
    label: 'Request URL',
    help: 'In your Slack app: Interactivity & Shortcuts, turn on Interactivity, Request URL. With the signing secret of the app, this adds an Acknowledge button to alerts.',
  },
  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<SlackConfig>;
