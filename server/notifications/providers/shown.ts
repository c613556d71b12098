import { canParseUrl } from '@/server/platform/schema';
import { MASK } from '@/server/platform/secrets';
import type { Message } from '../messages/message';
import type { SecretKind } from './definition';
import { type ChannelConfig, type ChannelType, channelDefinitionOf } from './definitions';
import type { PreparedRequest } from './prepared-request';

// The provider builds the request that people see in the same way as the real one, but from inputs without secrets. So no secret can appear, however
// a provider writes, escapes or encodes it.

/** Request headers whose values contain no credentials. The values of all others are masked, including unknown ones. */
const SHOWN_HEADERS = new Set(['content-type', 'user-agent', 'accept', 'webhook-id', 'webhook-timestamp']);

/** Replaces the secret part by the mask: of a URL, everything after the origin; of another text, the whole. */
function masked(secret: string): string {
  if (secret === '' || !/^\s*https?:/i.test(secret) || !canParseUrl(secret)) return secret && MASK;
  const { origin, href } = new URL(secret);
  return href === `${origin}/` ? href : `${origin}/${MASK}`;
}

/** Returns the config with the secrets of these kinds masked. */
export function shownConfig<Type extends ChannelType>(
  type: Type,
  config: ChannelConfig<Type>,
  hidden: readonly SecretKind[] = ['credential', 'url'],
): ChannelConfig<Type> {
  const { secrets } = channelDefinitionOf(type);
  const fields = Object.entries(config as Record<string, string | undefined>).map(([field, value]) => {
    const kind = Object.hasOwn(secrets, field) ? secrets[field] : undefined;
    return [field, kind && value !== undefined && hidden.includes(kind) ? masked(value) : value];
  });
  return Object.fromEntries(fields) as ChannelConfig<Type>;
}

/** Replaces the token of an acknowledge link by the mask. */
export const shownLink = (acknowledgeUrl: string) => acknowledgeUrl.replace(/[^/]*$/, MASK);

/** Returns the message with the token of its acknowledge link masked, also where a template repeats the link. */
export function shownMessage({ shown, ...message }: Message): Message {
  const { acknowledgeUrl } = message;
  return { ...message, ...(acknowledgeUrl !== undefined && { acknowledgeUrl: shownLink(acknowledgeUrl) }), ...shown };
}

/** Undoes the percent-encoding of the mask's dots. */
const readable = (text: string) => text.replaceAll(encodeURIComponent('•'), '•');

/**
 * Returns the request as people see it, with the URL and body of `shown`. Of the headers, it shows only values that are known to contain no
 * credential and equal in both requests.
 * @param shown the same request, built without secrets
 */
export function toShownRequest(
  request: Pick<PreparedRequest, 'method' | 'headers'>,
  shown: PreparedRequest,
): PreparedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const isShown = SHOWN_HEADERS.has(name.toLowerCase()) && shown.headers[name] === value;
    return [name.toLowerCase(), isShown ? value : MASK];
  });
  return {
    method: request.method,
    url: readable(shown.url),
    headers: Object.fromEntries(headers),
    body: shown.body === null ? null : readable(shown.body),
  };
}
