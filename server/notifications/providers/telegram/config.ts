import { z } from 'zod';
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
