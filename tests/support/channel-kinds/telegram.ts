import { z } from 'zod';
import { JSON_TYPE, json, type KindSpec, readJson } from './spec';

const TOKEN = `123456789:${'A'.repeat(35)}`;

/** The text after HTML entities are decoded. */
const shown = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&(lt|gt|amp|quot|#39);/g, 'x');

const Button = z.strictObject({
  text: z.string().min(1),
  callback_data: z.string().refine((data) => Buffer.byteLength(data) >= 1 && Buffer.byteLength(data) <= 64),
});

/** sendMessage of the Telegram Bot API. */
export const telegram: KindSpec<'telegram'> = {
  config: (url) => ({ botToken: TOKEN, chatId: '-1001', apiUrl: url, webhookSecret: 'telegram_webhook_secret' }),
  secrets: [TOKEN, 'telegram_webhook_secret'],
  request: new RegExp(`^POST /bot${TOKEN}/sendMessage$`),
  headers: JSON_TYPE,
  read: readJson,
  body: z.strictObject({
    chat_id: z.string(),
    message_id: z.int().optional(),
    text: z.string().refine((text) => shown(text).length >= 1 && shown(text).length <= 4096),
    parse_mode: z.literal('HTML'),
    reply_markup: z.strictObject({ inline_keyboard: z.array(z.array(Button).min(1)).min(1) }).optional(),
    link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
  }),
  good: json(200, { ok: true, result: { message_id: 77 } }),
  text: (body: { text: string }) => body.text,
  markup: 'html',
  failure: (status, description) => json(status, { ok: false, error_code: status, description }),
  permanent: [400, 401, 403, 404],
  passing: [500],
  throttled: {
    answer: json(429, {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: 35 },
    }),
    seconds: 35,
  },
  update: { ref: '77', request: new RegExp(`^POST /bot${TOKEN}/editMessageText$`) },
};
