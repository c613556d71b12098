import { canParseUrl } from '@/server/platform/schema';
import { MASK } from '@/server/platform/secrets';
import type { Message } from '../message';
import type { SecretKind } from './definition';
import { type ChannelConfig, type ChannelType, channelDefinitionOf } from './definitions';
import type { PreparedRequest } from './prepared-request';

// What people see of a request is built by its provider like the request itself, but from inputs without secrets: however a provider writes, escapes
// or encodes a secret, it cannot appear.

/** Request headers whose values hold no credentials. Other values are masked, also those of unknown names. */
const SHOWN_HEADERS = new Set(['content-type', 'user-agent', 'accept', 'webhook-id', 'webhook-timestamp']);

/** A secret without its secret part: of a URL that is all after the origin. */
function masked(secret: string): string {
  if (secret === '' || !/^\s*https?:/i.test(secret) || !canParseUrl(secret)) return secret && MASK;
  const { origin, href } = new URL(secret);
  return href === `${origin}/` ? href : `${origin}/${MASK}`;
}

/** The config without secrets of these kinds. */
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

/** A link to acknowledge without its token. */
export const shownLink = (acknowledgeUrl: string) => acknowledgeUrl.replace(/[^/]*$/, MASK);

/** The message without the token of its link, also where a template repeats it. */
export function shownMessage({ shown, ...message }: Message): Message {
  const { acknowledgeUrl } = message;
  return { ...message, ...(acknowledgeUrl !== undefined && { acknowledgeUrl: shownLink(acknowledgeUrl) }), ...shown };
}

/** Masks are readable where a URL or a form encodes them. */
const readable = (text: string) => text.replaceAll(encodeURIComponent('•'), '•');

/** A request as people see it: `shown` is the one that its provider built without secrets. Headers that secrets change are masked. */
export function toShown(request: Pick<PreparedRequest, 'method' | 'headers'>, shown: PreparedRequest): PreparedRequest {
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
