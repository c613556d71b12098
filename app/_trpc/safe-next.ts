/**
 * Where to go after signing in: the `next` parameter when it is a path of this site, else the list of monitors.
 * Anything a browser could read as another host ("//host", "/\host", a control character) is refused.
 */
export function safeNext(next: string | null | undefined): string {
  const home = '/monitors';
  if (!next || next.length > 2000 || !/^\/(?![/\\])[\x20-\x7e]*$/.test(next)) return home;
  const site = 'http://site.invalid';
  if (!URL.canParse(next, site)) return home;
  const { origin, pathname, search, hash } = new URL(next, site);
  return origin === site && !pathname.startsWith('//') ? pathname + search + hash : home;
}
