/**
 * The path to open after signing in: the `next` parameter if it is a path of this site, else the monitors list.
 * Rejects anything a browser could interpret as another host ("//host", "/\host", control characters).
 */
export function safeNext(next: string | null | undefined): string {
  const home = '/monitors';
  if (!next || next.length > 2000 || !/^\/(?![/\\])[\x20-\x7e]*$/.test(next)) return home;
  const site = 'http://site.invalid';
  if (!URL.canParse(next, site)) return home;
  const { origin, pathname, search, hash } = new URL(next, site);
  return origin === site && !pathname.startsWith('//') ? pathname + search + hash : home;
}
