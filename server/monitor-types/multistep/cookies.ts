import { isIP } from 'node:net';

/** The maximum number of cookies of a check, and of their characters in all. */
const MOST = { cookies: 50, characters: 16 * 1024 };
/** The maximum length of a cookie that is read. Browsers accept about as much. */
const MOST_OF_ONE = 4_096;

interface Cookie {
  name: string;
  value: string;
  domain: string;
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
}

const defaultPath = (pathname: string) => pathname.slice(0, pathname.lastIndexOf('/')) || '/';

const isDomainOf = (host: string, domain: string) =>
  host === domain || (host.endsWith(`.${domain}`) && isIP(host) === 0);

const isPathOf = (pathname: string, path: string) =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'));

/** Whether a cookie expires at once, which deletes it (RFC 6265 §5.2.1 and §5.2.2). */
function isOver(attributes: Map<string, string>): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return expires <= Date.now();
}

/**
 * The cookies of one check (RFC 6265). They are kept while it runs, and sent where a browser would send them; a domain must have a dot, because there is
 * no list of public suffixes.
 */
export class CookieJar {
  private kept: Cookie[] = [];

  /** @param note called with each value, which is a secret */
  constructor(private readonly note: (value: string) => void) {}

  /** Stores the cookies of a response. Those beyond the limits are dropped. */
  store(url: URL, lines: readonly string[]): void {
    for (const line of lines.slice(0, MOST.cookies)) this.storeOne(url, line);
  }

  private storeOne(url: URL, line: string): void {
    if (line.length > MOST_OF_ONE) return;
    const [pair = '', ...rest] = line.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const value = pair.slice(equals + 1).trim();
    // Node rejects control characters in what it receives; others could not be sent back.
    if (name === '' || !/^[\x20-\x7e\x80-\xff]*$/.test(name + value)) return;
    const attributes = new Map(
      rest.map((part) => {
        const at = part.indexOf('=');
        return at < 0
          ? [part.trim().toLowerCase(), '']
          : [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()];
      }),
    );
    const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase();
    const isOwn = domain === '' || domain === url.hostname;
    if (!isOwn && !(domain.includes('.') && isDomainOf(url.hostname, domain))) return;
    const path = attributes.get('path');
    const cookie = {
      name,
      value,
      domain: isOwn ? url.hostname : domain,
      isHostOnly: domain === '',
      path: path?.startsWith('/') ? path : defaultPath(url.pathname),
      isSecure: attributes.has('secure'),
    };
    this.kept = this.kept.filter(
      (each) => each.name !== name || each.domain !== cookie.domain || each.path !== cookie.path,
    );
    const size = this.kept.reduce((sum, each) => sum + each.name.length + each.value.length, 0);
    const isFull = this.kept.length >= MOST.cookies || size + pair.length > MOST.characters;
    if (isFull || isOver(attributes)) return;
    this.kept.push(cookie);
    this.note(value);
  }

  /** The value of the Cookie header for a URL, with longer paths first; null without cookies. */
  headerFor({ hostname, pathname, protocol }: URL): string | null {
    const fitting = this.kept.filter(
      ({ domain, isHostOnly, path, isSecure }) =>
        (isHostOnly ? hostname === domain : isDomainOf(hostname, domain)) &&
        isPathOf(pathname, path) &&
        (!isSecure || protocol === 'https:'),
    );
    if (fitting.length === 0) return null;
    return fitting
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}
