import { maskApart } from '@/server/platform/masking/mask-apart';
import type { Secret } from '@/server/platform/masking/parts';
import { plainLines } from '@/server/platform/plain-text';
import { canParseUrl } from '@/server/platform/schema';
import { MASK, mayHoldSecret } from '@/server/platform/secrets';
import { type ChannelConfig, type ChannelType, channelDefinitionOf } from './definitions';
import type { PreparedRequest } from './prepared-request';
import { toShownRequest } from './shown';

/** A request to a receiver and its answer, unmasked. Not stored or logged. */
export interface RawExchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | Uint8Array | null };
  /** Null without an answer. */
  response: { statusCode: number; headers: Record<string, string>; body: string } | null;
}

/** The exchange as shown to members who can edit the channel: without credentials, and with bodies up to a limit. */
export interface Exchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | null };
  /** The body is null if the channel does not save it. */
  response: { statusCode: number; headers: Record<string, string>; body: string | null } | null;
}

const MOST_BODY = 4_096;
/** The length of a body that is searched for secrets. Longer than the stored part, so that no secret is cut in half. */
const MOST_READ = 32_768;
const MOST_URL = 500;
const MOST_HEADER = 200;
/** The maximum number of kept response headers: masking 1,900 takes 120 ms of the thread. Real receivers send fewer than 20 of them. */
const MOST_HEADERS = 20;
/** Response headers that help to find a cause. All others are dropped. */
const KEPT_RESPONSE_HEADERS =
  /^(content-type|date|location|retry-after|server|via|www-authenticate|(x-)?ratelimit-[\w-]+|[\w-]*request-id|x-slack-req-id|cf-ray)$/;

/**
 * Returns the texts to mask for one secret of a config: everything after the origin of a URL, or the whole text and the values of its header lines.
 */
function toSecrets(text: string): Secret[] {
  if (/^https?:\/\//i.test(text) && canParseUrl(text)) return [{ value: text, kind: 'capability' }];
  const values = text.split(/\r?\n/).map((line) => line.replace(/^[^:\s]*:\s+/, ''));
  return [text, ...values].map((value) => ({ value, kind: 'credential' }));
}

/** Masks secrets in texts that a receiver returned, in any encoding. A text that cannot be masked is replaced by the mask. */
export async function maskTexts(secrets: string[], texts: string[], team: string): Promise<string[]> {
  const toMask = texts.map((text) => ({ text }));
  const clean = await maskApart(secrets.flatMap(toSecrets), toMask, { team });
  return clean.map((text) => text ?? MASK);
}

interface ShowOptions {
  /** The channel's team. */
  team: string;
  /** Whether the response's body is kept. */
  savesBody: boolean;
}

/** Returns the body to show; its size if it was sent as bytes, because these are encrypted. */
const bodyOf = (sent: RawExchange['request'], shown: PreparedRequest) =>
  sent.body instanceof Uint8Array ? `(${sent.body.length} bytes)` : shown.body;

/**
 * Builds the stored form of an exchange. The request is taken from `shown`, which the provider built without secrets. In the answer, which may
 * repeat anything, `secrets` are masked wherever they occur.
 */
export async function toExchange(
  { request, response }: RawExchange,
  shown: PreparedRequest,
  secrets: string[],
  { team, savesBody }: ShowOptions,
): Promise<Exchange> {
  const { url, headers, body } = toShownRequest(request, { ...shown, body: bodyOf(request, shown) });
  const short = Object.entries(headers).map(([name, value]) => [name, plainLines(value, MOST_HEADER)] as const);
  return {
    request: {
      method: request.method,
      url: plainLines(url, MOST_URL),
      headers: Object.fromEntries(short),
      // Contains no secret, so it can be cut before it is cleaned.
      body: body === null ? null : plainLines(body.slice(0, MOST_BODY * 2), MOST_BODY),
    },
    response: response && (await toShownResponse(response, secrets, { team, savesBody })),
  };
}

async function toShownResponse(
  { statusCode, headers, body }: NonNullable<RawExchange['response']>,
  secrets: string[],
  { team, savesBody }: ShowOptions,
): Promise<NonNullable<Exchange['response']>> {
  const received = Object.entries(headers)
    .filter(([name]) => KEPT_RESPONSE_HEADERS.test(name))
    .slice(0, MOST_HEADERS);
  const values = received.map(([, value]) => String(value));
  // Control characters are removed first: a secret that they split would otherwise be whole again afterwards.
  const texts = [...values, savesBody ? body : ''].map((text) => plainLines(text, MOST_READ));
  const clean = await maskTexts(secrets, texts, team);
  const kept = received.map(([name], index) => [name, plainLines(clean[index] ?? '', MOST_HEADER)] as const);
  const shown = savesBody ? plainLines(clean.at(-1) ?? '', MOST_BODY) : null;
  return { statusCode, headers: Object.fromEntries(kept), body: shown };
}

/** Whether requests with this config may send a credential: a secret of the config, or a URL that may contain one. */
function sendsCredential(type: ChannelType, config: Record<string, string | undefined>): boolean {
  return Object.entries(channelDefinitionOf(type).secrets).some(([field, kind]) => {
    const value = config[field] ?? '';
    return value !== '' && (kind === 'credential' || mayHoldSecret(value));
  });
}

/**
 * Whether response bodies are stored with the attempts of a channel. Kinds without this setting store them, because they send credentials only to
 * their provider, or none. With `auto`, they are not stored if the config contains a credential, because the user chose the server that gets it.
 */
export function savesResponseBody<Type extends ChannelType>(type: Type, config: ChannelConfig<Type>): boolean {
  if (!Object.hasOwn(channelDefinitionOf(type).fields, 'saveResponseBody')) return true;
  const given = config as Record<string, string | undefined>;
  const { saveResponseBody } = given;
  if (saveResponseBody === 'always' || saveResponseBody === 'never') return saveResponseBody === 'always';
  return !sendsCredential(type, given);
}
