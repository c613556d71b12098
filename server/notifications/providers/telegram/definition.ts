import type { ChannelDefinition } from '../definition';
import { TelegramConfig } from './config';

export const telegram = {
  label: 'Telegram',
  category: 'chat',
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
