import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { optionalSecret, secret, WebAddress } from '../fields';

/** As shown by @BotFather; its characters need no escaping in a URL. */
const BotToken = z.string().regex(/^\d{1,20}:[\w-]{20,100}$/);

/** The `secret_token` of setWebhook; short ones could be guessed. */
const WebhookSecret = z.string().regex(/^[\w-]{16,256}$/);

/** Telegram's own Bot API. */
export const TELEGRAM_API = 'https://api.telegram.org';

export const TelegramConfig = z.strictObject({
  botToken: secret(BotToken, 'Enter the bot token as @BotFather shows it: 123456789:AAE…'),
  chatId: z
    .string()
    .trim()
    .regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/, { error: 'Enter a chat ID such as -1001234567890, or a @channelname.' }),
  webhookSecret: optionalSecret(WebhookSecret, 'Enter 16 to 256 letters, digits, underscores and hyphens.'),
  apiUrl: WebAddress.default(TELEGRAM_API).meta({
    description: 'The origin of a Bot API server of your own, where you run one.',
  }),
});
export type TelegramConfig = z.infer<typeof TelegramConfig>;

export const telegram = {
  ...channelKinds.telegram,
  summary: 'Bot message',
  textLimit: 3_500,
  schema: TelegramConfig,
  fields: {
    botToken: {
      label: 'Bot token',
      kind: 'secret',
      placeholder: '123456789:AAE…',
      help: 'From @BotFather: send /newbot, or /mybots for an existing bot, then API Token.',
    },
    chatId: {
      label: 'Chat ID',
      kind: 'text',
      placeholder: '-1001234567890',
      help: 'The ID of a user, group, or channel that the bot can write to, or a @channelname.',
    },
    webhookSecret: {
      label: 'Webhook secret',
      kind: 'secret',
      optional: true,
      placeholder: 'At least 16 characters of your choice',
      help: 'Adds an Acknowledge button to alerts. Use it as the secret_token when you call setWebhook of the Bot API.',
    },
    apiUrl: {
      label: 'API URL',
      kind: 'url',
      optional: true,
      placeholder: 'https://api.telegram.org',
      help: 'Only if you run your own Bot API server.',
    },
  },
  description: 'Messages of a bot to a chat, by the Telegram Bot API.',
  secrets: { botToken: 'credential', webhookSecret: 'credential' },
  callback: {
    label: 'Webhook URL',
    help: 'Call setWebhook of the Bot API with this url, the webhook secret as secret_token, and allowed_updates ["callback_query"]. Telegram accepts HTTPS on the ports 443, 80, 88 and 8443. With the secret, this adds an Acknowledge button to alerts. A bot has one webhook: it serves all channels of the bot that have the same secret.',
  },
  endpoint: 'apiUrl',
  destination: ({ chatId }) => chatId,
} satisfies ChannelDefinition<TelegramConfig>;
