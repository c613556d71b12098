import { plainLines } from '@/server/platform/plain-text';
import { MASK } from '@/server/platform/secrets';
import type { PreparedRequest } from './provider';
import { toShown } from './shown';

/** A request to a receiver and its answer, as they were. Not stored or logged. */
export interface RawExchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | Uint8Array | null };
  /** Null without an answer. */
  response: { statusCode: number; headers: Record<string, string>; body: string } | null;
}

/** What members who can edit the channel see: no credentials, and bodies up to a limit. */
export interface Exchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | null };
  response: { statusCode: number; headers: Record<string, string>; body: string } | null;
}

const MOST_BODY = 4_096;
const MOST_URL = 500;
const MOST_HEADER = 200;
/** A part of a secret URL that is shorter is a word of the provider's, such as "api" or "hooks". */
const SHORTEST_PART = 6;
const SHORTEST_VALUE = 4;

/** Response headers that help to find a cause. Others are left out. */
const KEPT_RESPONSE_HEADERS =
  /^(content-type|date|location|retry-after|server|via|www-authenticate|(x-)?ratelimit-[\w-]+|[\w-]*request-id|x-slack-req-id|cf-ray)$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The parts of a URL that may hold a secret; its origin does not. */
function partsOf({ pathname, search, username, password, searchParams }: URL): string[] {
  const segments = pathname.split('/').filter((segment) => segment.length >= SHORTEST_PART);
  const values = [...searchParams.values()].filter((value) => value.length >= SHORTEST_VALUE);
  const path = pathname.length > 1 ? [pathname + search, pathname] : [search];
  return [...path, ...segments, ...segments.map(decoded), ...values, username, password].filter((text) => text !== '');
}

/** A secret and its parts: of a URL those after the origin, of header lines their values. */
function textsOf(secret: string): string[] {
  if (/^https?:\/\//i.test(secret) && URL.canParse(secret)) return partsOf(new URL(secret));
  const values = secret.split(/\r?\n/).flatMap((line) => [line, line.replace(/^[^:]*:\s*/, '')]);
  // "Bearer <token>"
  const words = values.flatMap((value) => value.split(/\s+/)).filter((word) => word.length > SHORTEST_PART);
  return [secret, ...values, ...words];
}

/** The texts to mask for one secret: as it is, and as JSON, URLs, forms and Base64 write it. */
function formsOf(given: string): string[] {
  const secret = given.toWellFormed();
  const plain = textsOf(secret);
  const written = [secret, ...plain].flatMap((text) => [
    encodeURIComponent(text),
    encodeURIComponent(text).replaceAll('%20', '+'),
    ...(text.length >= SHORTEST_PART ? [Buffer.from(text).toString('base64')] : []),
  ]);
  return [...plain, ...plain.map((text) => JSON.stringify(text).slice(1, -1)), ...written];
}

/** A function that masks secrets in a text; the longest first, so that no part of one is left over. */
export function masker(secrets: string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))].filter((form) => form !== '');
  if (forms.length === 0) return (text) => text;
  const longestFirst = forms.toSorted((one, other) => other.length - one.length);
  const anyOf = new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
  return (text) => text.replace(anyOf, (found) => (found.startsWith('/') ? `/${MASK}` : MASK));
}

/** The body of what is sent encrypted is its size. */
const bodyOf = (sent: RawExchange['request'], shown: PreparedRequest) =>
  sent.body instanceof Uint8Array ? `(${sent.body.length} bytes)` : shown.body;

/**
 * An exchange as it is stored. `shown` is the request that its provider built without secrets, and the only one that texts are taken from. In the
 * answer, which may repeat anything, `secrets` are masked wherever they occur.
 */
export function toExchange({ request, response }: RawExchange, shown: PreparedRequest, secrets: string[]): Exchange {
  const { url, headers, body } = toShown(request, { ...shown, body: bodyOf(request, shown) });
  const short = Object.entries(headers).map(([name, value]) => [name, plainLines(value, MOST_HEADER)] as const);
  const mask = masker(secrets);
  const clean = (text: string, max: number) => plainLines(mask(text), max);
  const received = Object.entries(response?.headers ?? {}).filter(([name]) => KEPT_RESPONSE_HEADERS.test(name));
  return {
    request: {
      method: request.method,
      url: plainLines(url, MOST_URL),
      headers: Object.fromEntries(short),
      // Holds no secret, so it can be cut before it is cleaned.
      body: body === null ? null : plainLines(body.slice(0, MOST_BODY * 2), MOST_BODY),
    },
    response: response && {
      statusCode: response.statusCode,
      headers: Object.fromEntries(received.map(([name, value]) => [name, clean(String(value), MOST_HEADER)])),
      body: clean(response.body, MOST_BODY),
    },
  };
}
