import { z } from 'zod';
import { safeEqual } from '@/server/platform/crypto';
import { type CallbackReader, valueOfButton } from '../callback';
import { readJson } from '../read-json';
import { shorten } from '../shorten';
import type { TelegramConfig } from './definition';

const Update = z.looseObject({
  callback_query: z
    .looseObject({
      id: z.string(),
      from: z.looseObject({ first_name: z.string().optional(), username: z.string().optional() }),
      data: z.string().optional(),
    })
    .optional(),
});

/** The limit of answerCallbackQuery. */
const MOST_TEXT = 200;

/** Reads a pressed button of a bot's inline keyboard. The response itself calls answerCallbackQuery, so no request to Telegram is needed. */
export const readTelegramCallback: CallbackReader<TelegramConfig> = ({ headers, body }, { webhookSecret }) => {
  if (!webhookSecret || !safeEqual(headers.get('x-telegram-bot-api-secret-token') ?? '', webhookSecret)) return null;
  const query = readJson(Update, body.toString('utf8'))?.callback_query;
  const button = valueOfButton(query?.data);
  if (!query || button === null) return { press: null, answer: () => ({ body: null }) };
  const { id, from } = query;
  const person = from.username === undefined ? (from.first_name ?? 'Someone') : `@${from.username}`;
  return {
    press: { button, person: `${person} on Telegram` },
    answer(text) {
      return { body: { method: 'answerCallbackQuery', callback_query_id: id, text: shorten(text ?? '', MOST_TEXT) } };
    },
  };
};
