import { canParseUrl } from '@/server/platform/schema';

/** Returns a host and a port as one text, IPv6 in brackets (RFC 3986 §3.2.2). */
export function atPort({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns a valid URL for display: no scheme, no query, no root path. */
export function withoutScheme(url: string): string {
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}

/** Matches "localhost" and IPv4 addresses, which seldom have a certificate. */
const bare = /^(localhost|\d{1,3}(\.\d{1,3}){3})(?=[:/]|$)/i;

/**
 * Completes an address to a URL. Without a scheme it gets `scheme`: by default https, or http if a certificate is unlikely. Empty text stays empty.
 */
export function completeAddress(text: string, scheme = bare.test(text.trim()) ? 'http' : 'https'): string {
  const address = text.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${scheme}://${address}`;
}

/** Returns a monitor name for this URL: its host without "www.", and the path if there is one. Empty for an invalid URL. */
export function suggestName(address: string): string {
  const url = completeAddress(address);
  if (!canParseUrl(url)) return '';
  const { host, pathname } = new URL(url);
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  return `${host.replace(/^www\./, '')}${path}`.slice(0, 120);
}
