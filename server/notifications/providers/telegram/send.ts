import { z } from 'zod';
import type { Message } from '../../message';
import { post, type Refusal } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import type { TelegramConfig } from './config';

/** Together with the link below 4,096 characters, Telegram's limit for text without markup. */
const MOST_HEADLINE = 500;
const MOST_DETAILS = 3_500;

/** Statuses that a retry does not change: a wrong token or chat, or a removed bot. */
const PERMANENT = new Set([400, 401, 403, 404]);

const Answer = z.looseObject({
  ok: z.boolean(),
  error_code: z.int().optional(),
  description: z.string().optional(),
  parameters: z.looseObject({ retry_after: z.number().nonnegative().optional() }).optional(),
});

function read(body: string): z.infer<typeof Answer> | null {
  try {
    return Answer.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

/** An error of the Bot API: `ok` is false, and `error_code` repeats the status. Anything else came from a proxy. */
function refusalOf(status: number, body: string): Refusal | null {
  const answer = read(body);
  if (!answer || answer.ok) return null;
  const retryAfter = answer.parameters?.retry_after;
  return {
    permanent: PERMANENT.has(answer.error_code ?? status),
    retryAfterSeconds: retryAfter === undefined ? undefined : Math.ceil(retryAfter),
  };
}

/** The markup characters of Telegram's HTML. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
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

/** A message of a bot, with sendMessage of the Telegram Bot API. */
export const telegram: Provider<TelegramConfig> = {
  send(message, { botToken, chatId, apiUrl }, options) {
    const body = JSON.stringify({
      ...{ chat_id: chatId, text: toHtml(message), parse_mode: 'HTML' },
      link_preview_options: { is_disabled: true },
    });
    const request = {
      url: `${apiUrl.replace(/\/+$/, '')}/bot${botToken}/sendMessage`,
      body,
      receiver: 'Telegram',
      reason: (answer: string) => read(answer)?.description ?? null,
      refusal: refusalOf,
    };
    return post(request, options);
  },
};
