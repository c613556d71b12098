/** A host and a port as one text, IPv6 in brackets (RFC 3986 §3.2.2). */
export function atPort({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A URL for display: no scheme, no query, no root path. */
export function withoutScheme(url: string): string {
  const { host, pathname } = new URL(url);
  return host + (pathname === '/' ? '' : pathname);
}
