/** The maximum length of a URL that needs conversion from Unicode; no monitor or channel has a longer one. */
const MOST_CHARACTERS = 2_048;
/** The maximum length of other URLs; redirects of sign-in pages contain whole documents in their query. */
const MOST_OF_PLAIN = 8_192;

/** Matches an absolute or relative URL whose host, if it has one, needs no conversion from Unicode. */
const PLAIN_HOST =
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/[\x21-\x24\x26-\x2e\x30-\x3e\x40-\x7e]*(?:[/?#]|$)|^(?:[?#]|\/(?![/\\\t\n\r]))/i;

/** Whether a text is a URL. `URL.canParse` is not used: in Node 20 it rejects "https://bücher.example/" once it was called some thousand times. */
function isUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a text of a user or target is a URL. Rejects long ones, because the parser converts Unicode names (UTS 46) in quadratic time: 330,000
 * characters, which fit into a request, take 25 s.
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  const isBounded = text.length <= MOST_CHARACTERS || (text.length <= MOST_OF_PLAIN && PLAIN_HOST.test(text));
  return isBounded && isUrl(text, base);
}

/** Returns percent-decoded text (RFC 3986 §2.1), or the text itself if it is malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text that replaces a secret in everything that is displayed. */
export const MASK = '••••';

const HINT_LENGTH = 4;
/** A shorter secret has no hint. */
const SHORTEST_WITH_HINT = 8;

/** Returns the last four characters of a credential, which follow its mask; empty for a short one. */
export function hintOf(credential: string): string {
  const characters = Array.from(credential);
  return characters.length < SHORTEST_WITH_HINT ? '' : characters.slice(-HINT_LENGTH).join('');
}

/** Returns a URL with masks for its userinfo (RFC 3986 §3.2.1), query and fragment, and for its path unless `keepsPath`. */
function maskUrl(url: URL, { keepsPath }: { keepsPath: boolean }): string {
  const { protocol, username, password, host, pathname, search, hash } = url;
  const start = `${protocol}//${username || password ? `${MASK}@` : ''}${host}`;
  if (!keepsPath) return pathname === '/' && !search && !hash ? `${start}/` : `${start}/${MASK}`;
  return `${start}${pathname}${search ? `?${MASK}` : hash ? `#${MASK}` : ''}`;
}

/** Like `maskUrl`, also for a template that is no URL yet: "https://{{host}}/orders?••••". */
export function maskUrlText(text: string, { keepsPath }: { keepsPath: boolean }): string {
  if (canParseUrl(text)) return maskUrl(new URL(text), { keepsPath });
  return keepsPath ? text.replace(/[?#].*$/s, `?${MASK}`) : MASK;
}

/** Returns a URL, or a template of one, as its mask shows it if it contains no secrets. */
export const urlAsShown = (text: string): string => (canParseUrl(text) ? new URL(text).href : text);
