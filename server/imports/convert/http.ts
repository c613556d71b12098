import { canParseUrl } from '@/server/platform/schema';
import type { Row } from './rows';

/** Request headers from a mapping, with this content type if they name none. */
export function toHeaders(given: Row, contentType: string | null = null): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
  const hasType = entries.some(([name]) => name.toLowerCase() === 'content-type');
  return Object.fromEntries(contentType === null || hasType ? entries : [...entries, ['content-type', contentType]]);
}

/** Authentication by OAuth 2.0 client credentials (RFC 6749, section 4.4). */
export function toOauth2({
  scope,
  ...given
}: {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
}) {
  return { kind: 'oauth2', ...given, ...(scope && { scope }) };
}

/** A URL without credentials, and the credentials. */
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

/** The port that a URL names; null without one. `URL` omits the port that its scheme has by default. */
function namedPort(url: string): number | null {
  const [authority = ''] = url.slice(url.indexOf('//') + 2).split(/[/?#]/, 1);
  const [, port] = /:(\d{1,5})$/.exec(authority) ?? [];
  return port === undefined ? null : Number(port);
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

/** The port to which requests of a URL go; null if it cannot be parsed. */
export function portOfUrl(url: string): number | null {
  if (!canParseUrl(url)) return null;
  return namedPort(url) ?? DEFAULT_PORTS[new URL(url).protocol] ?? null;
}

/** The host and port of an address: a URL, a host with a port, or a host. The port is null without one. */
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
