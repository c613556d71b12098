import { z } from 'zod';
import { env } from '@/server/platform/env';
import type { Message } from '../../messages/message';
import { buttonOf } from '../callback';
import { colorOf } from '../color';
import { type Post, post, type Refusal } from '../post';
import type { Provider } from '../provider';
import { readJson } from '../read-json';
import { fitText } from '../shorten';
import type { DiscordConfig } from './definition';

/** Discord's error codes that are permanent. */
const PERMANENT = new Set([
  // Unknown channel, message or webhook; an invalid webhook token.
  ...[10003, 10008, 10015, 50027],
  // No access; an archived or locked thread.
  ...[50001, 50013, 50083, 160005],
  // A rejected body; a message that the server's AutoMod blocks.
  ...[50006, 50035, 200000, 240000],
  // Not for this kind of channel; a forum without a thread or a required tag.
  ...[50024, 220001, 40067],
]);

const Failure = z.looseObject({
  message: z.string(),
  code: z.int().optional(),
  retry_after: z.number().nonnegative().optional(),
});
const Sent = z.looseObject({ id: z.string().regex(/^\d{1,20}$/) });

/**
 * Reads an error of Discord's API; null for one of a proxy, which has another form. The body of a rate limit contains the wait in fractions of a
 * second.
 */
function refusalOf(status: number, body: string): Refusal | null {
  const failure = status < 400 ? null : readJson(Failure, body);
  if (!failure) return null;
  const { code = 0, retry_after: wait } = failure;
  return { permanent: PERMANENT.has(code), retryAfterSeconds: wait === undefined ? undefined : Math.ceil(wait) };
}

/** Escapes the markup characters of Discord. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<@]/g, '\\$&');
}

/**
 * Builds an action row (type 1) with a primary (style 1) button (type 2). Discord ignores it in a message of a webhook that belongs to no
 * application.
 */
function acknowledgeButton(value: string) {
  const button = { type: 2, style: 1, label: 'Acknowledge', custom_id: buttonOf(value) };
  return { type: 1, components: [button] };
}

/** Builds a message with one embed and no mentions. Limits: 256 characters in a title, 4,096 in a description. */
function toBody(
  { headline, details, url, acknowledgeUrl, button, tone, payload }: Message,
  hasButtons: boolean,
): object {
  const acknowledge = acknowledgeUrl === undefined ? '' : `\n\n[Acknowledge](${acknowledgeUrl})`;
  const embed = {
    title: fitText(headline, 256, { encode: escapeMarkdown }),
    description: fitText(details.join('\n'), 4096 - acknowledge.length, { encode: escapeMarkdown }) + acknowledge,
    url,
    color: Number.parseInt(colorOf(tone).slice(1), 16),
    timestamp: payload.timestamp,
  };
  return {
    embeds: [embed],
    allowed_mentions: { parse: [] },
    ...(hasButtons && { components: button === undefined ? [] : [acknowledgeButton(button)] }),
  };
}

/** Builds a request. Discord requires this form of user agent, and may block others (40333). */
const request = (url: URL, body: object): Post => ({
  url: url.href,
  headers: { 'user-agent': `DiscordBot (${env.appUrl}, 1) Upwatch` },
  body: JSON.stringify(body),
  receiver: 'Discord',
  reason: (answer) => readJson(Failure, answer)?.message ?? null,
  refusal: refusalOf,
});

/** Sends and edits messages of a Discord webhook. `wait` makes Discord respond with the message, whose ID is needed to edit it. */
export const discord: Provider<DiscordConfig> = {
  send(message, { webhookUrl, publicKey = '' }, options) {
    const url = new URL(webhookUrl);
    url.searchParams.set('wait', 'true');
    const body = { username: 'Upwatch', ...toBody(message, publicKey !== '') };
    return post({ ...request(url, body), ref: (answer) => readJson(Sent, answer)?.id }, options);
  },
  update(ref, message, { webhookUrl, publicKey = '' }, options) {
    const url = new URL(webhookUrl);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/messages/${ref}`;
    return post({ ...request(url, toBody(message, publicKey !== '')), method: 'PATCH', ref: () => ref }, options);
  },
};
