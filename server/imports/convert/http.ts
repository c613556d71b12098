import { canParseUrl } from '@/server/platform/schema';
import type { Row } from './rows';

/** Converts a mapping to request headers. Adds `contentType`, if it is not null and the mapping has no content type. */
export function toHeaders(given: Row, contentType: string | null = null): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
  const hasType = entries.some(([name]) => name.toLowerCase() === 'content-type');
  return Object.fromEntries(contentType === null || hasType ? entries : [...entries, ['content-type', contentType]]);
}

/** Returns the authentication by OAuth 2.0 client credentials (RFC 6749, section 4.4). */
export function toOauth2({
  scope,
  audience,
  isInBody,
  ...given
}: {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  audience?: string;
  /** Whether the client secret is sent in the body. */
  isInBody?: boolean;
}) {
  const more = {
    ...(scope && { scope }),
    ...(audience && { audience }),
    ...(isInBody && { tokenAuthMethod: 'client_secret_post' }),
  };
  return { kind: 'oauth2', ...given, ...more };
}

/** Splits a URL into the URL without credentials, and basic authentication with them. Returns other texts as they are. */
export function splitUrl(text: string): { url: string; auth?: object } {
  if (!canParseUrl(text)) return { url: text };
  const url = new URL(text);
  if (url.username === '' && url.password === '') return { url: text };
  const auth = {
    kind: 'basic',
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  url.username = '';
  url.password = '';
  return { url: url.href, auth };
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/** Returns the port that a URL names, even if it is the default port of the scheme, which `URL` omits; null if it names none. */
function namedPort(url: string): number | null {
  const [authority = ''] = url.slice(url.indexOf('//') + 2).split(/[/?#]/, 1);
  const [, port] = /:(\d{1,5})$/.exec(authority) ?? [];
  return port === undefined ? null : Number(port);
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

/** Returns the port to which requests of a URL go: the named one, or the default of the scheme. Null if the URL is invalid or the scheme unknown. */
export function portOfUrl(url: string): number | null {
  if (!canParseUrl(url)) return null;
  return namedPort(url) ?? DEFAULT_PORTS[new URL(url).protocol] ?? null;
}

/** Parses an address: a URL, a host with a port, or a host. The port is null if none is named. */
export function hostAndPortOf(address: string): { host: string; port: number | null } {
  if (address.includes('//') && canParseUrl(address)) {
    return { host: withoutBrackets(new URL(address).hostname), port: namedPort(address) };
  }
  // Several colons without brackets are an IPv6 address.
  const [, host, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(address) ?? [];
  return host === undefined || port === undefined
    ? { host: withoutBrackets(address), port: null }
    : { host: withoutBrackets(host), port: Number(port) };
}
