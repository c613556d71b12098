import { z } from 'zod';
import { escapeHtml } from '@/server/platform/escape-html';
import type { Message } from '../../messages/message';
import { buttonOf } from '../callback';
import { type Post, post, type Refusal } from '../post';
import type { Provider, SendOptions, SendResult } from '../provider';
import { providerApi } from '../provider-api';
import { readJson } from '../read-json';
import { shorten } from '../shorten';
import { TELEGRAM_API, type TelegramConfig } from './definition';

/** Together with the links, these are less than 4,096 characters, Telegram's limit after entity parsing. */
const MOST_HEADLINE = 500;
const MOST_DETAILS = 3_500;

/** Permanent statuses: a wrong token or chat, or a removed bot. */
const PERMANENT = new Set([400, 401, 403, 404]);

const Answer = z.looseObject({
  ok: z.boolean(),
  error_code: z.int().optional(),
  description: z.string().optional(),
  parameters: z
    .looseObject({ retry_after: z.number().nonnegative().optional(), migrate_to_chat_id: z.int().optional() })
    .optional(),
});

const read = (body: string) => readJson(Answer, body);

/** Reads an error of the Bot API: `ok` is false, and `error_code` repeats the status. Anything else comes from a proxy. */
function refusalOf(status: number, body: string): Refusal | null {
  const answer = read(body);
  if (!answer || answer.ok) return null;
  const retryAfter = answer.parameters?.retry_after;
  return {
    permanent: PERMANENT.has(answer.error_code ?? status),
    retryAfterSeconds: retryAfter === undefined ? undefined : Math.ceil(retryAfter),
  };
}

function toHtml({ headline, details, url, acknowledgeUrl }: Message): string {
  const link = (to: string, label: string) => `<a href="${escapeHtml(to)}">${label}</a>`;
  const lines = [
    `<b>${escapeHtml(shorten(headline, MOST_HEADLINE))}</b>`,
    escapeHtml(shorten(details.join('\n'), MOST_DETAILS)),
    ...(acknowledgeUrl === undefined ? [] : [link(acknowledgeUrl, 'Acknowledge')]),
    link(url, 'Open in Upwatch'),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const Sent = z.looseObject({ result: z.looseObject({ message_id: z.int() }) });

const keyboard = (button: string) => ({
  inline_keyboard: [[{ text: 'Acknowledge', callback_data: buttonOf(button) }]],
});

function request(
  { botToken, chatId, apiUrl, webhookSecret = '' }: TelegramConfig,
  method: string,
  message: Message,
  more: object = {},
): Post {
  const { button } = message;
  const api = apiUrl.replace(/\/+$/, '');
  const url = `${api}/bot${botToken}/${method}`;
  const body = {
    chat_id: chatId,
    ...more,
    text: toHtml(message),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(webhookSecret !== '' && button !== undefined && { reply_markup: keyboard(button) }),
  };
  return {
    ...(api === TELEGRAM_API ? providerApi(url) : { url }),
    body: JSON.stringify(body),
    receiver: 'Telegram',
    reason: (answer) => read(answer)?.description ?? null,
    refusal: refusalOf,
  };
}

/** Sends to a chat. If the group became a supergroup, sends again to its new ID, which Telegram returns when it rejects the old one. */
async function sendTo(
  message: Message,
  config: TelegramConfig,
  options: SendOptions,
  mayMove = true,
): Promise<SendResult> {
  let movedTo: number | undefined;
  const refusal = (status: number, body: string) => {
    movedTo = read(body)?.parameters?.migrate_to_chat_id;
    return refusalOf(status, body);
  };
  const ref = (answer: string) => readJson(Sent, answer)?.result.message_id.toString();
  const result = await post({ ...request(config, 'sendMessage', message), ref, refusal }, options);
  if (result.ok || movedTo === undefined || !mayMove) return result;
  return sendTo(message, { ...config, chatId: String(movedTo) }, options, false);
}

/** Telegram's answer to an edit that changes nothing. */
const UNCHANGED = /message is not modified/;

/** Sends and edits messages of a bot with sendMessage and editMessageText of the Telegram Bot API. */
export const telegram: Provider<TelegramConfig> = {
  send: (message, config, options) => sendTo(message, config, options),
  async update(ref, message, config, options) {
    const edit = request(config, 'editMessageText', message, { message_id: Number(ref) });
    const result = await post({ ...edit, ref: () => ref }, options);
    return !result.ok && UNCHANGED.test(result.error) ? { ok: true, statusCode: result.statusCode, ref } : result;
  },
};
