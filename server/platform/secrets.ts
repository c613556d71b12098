import { seal, unseal } from './crypto';
import { MASK } from './masking/mask';
import { canParseUrl } from './schema';

export { MASK };

/** A secret in stored JSON with a hint for display: its last four characters, or a URL without its secret parts. */
export type SealedSecret = { sealed: string } & ({ hint: string } | { shown: string });

const HINT_LENGTH = 4;
/** A shorter secret has no hint. */
const SHORTEST_WITH_HINT = 8;

/** A credential as stored. */
export function sealSecret(plain: string): SealedSecret & { hint: string } {
  const characters = Array.from(plain);
  const hint = characters.length < SHORTEST_WITH_HINT ? '' : characters.slice(-HINT_LENGTH).join('');
  return { sealed: seal(plain), hint };
}

/** A text that may contain a secret anywhere, such as a request body, in its stored form: without a hint, because its end could be the secret. */
export function sealText(plain: string): SealedSecret {
  return { sealed: seal(plain), hint: '' };
}

/** A URL with a mask for its userinfo (RFC 3986 §3.2.1), query and fragment, and for its path unless `keepsPath`. */
function shownUrl(url: URL, keepsPath: boolean): string {
  const { protocol, username, password, host, pathname, search, hash } = url;
  const start = `${protocol}//${username || password ? `${MASK}@` : ''}${host}`;
  if (!keepsPath) return pathname === '/' && !search && !hash ? `${start}/` : `${start}/${MASK}`;
  return `${start}${pathname}${search ? `?${MASK}` : hash ? `#${MASK}` : ''}`;
}

/** Whether a valid URL may contain a secret after its path, or in its userinfo. */
export function mayHoldSecret(plain: string): boolean {
  const url = new URL(plain);
  return shownUrl(url, true) !== url.href;
}

/**
 * The stored form of a valid URL: plain text if it cannot contain a secret, otherwise sealed. The host, and with `keepsPath` the path, are not
 * secret.
 */
export function sealUrl(plain: string, { keepsPath }: { keepsPath: boolean }): SealedSecret | string {
  const url = new URL(plain);
  const shown = shownUrl(url, keepsPath);
  return shown === url.href ? plain : { sealed: seal(plain), shown };
}

/**
 * Decrypts a secret.
 * @throws UnknownKeyError if it was sealed under neither the current nor the previous APP_SECRET
 */
export function openSecret(secret: SealedSecret): string {
  return unseal(secret.sealed);
}

/** The mask of a secret: "••••" and its hint, or a URL with "••••" in place of its secret parts. */
export function maskSecret(secret: SealedSecret): string {
  return 'shown' in secret ? secret.shown : MASK + secret.hint;
}

/** Whether an input is the mask of the stored secret, which keeps the secret. */
export function isMask(text: string, secret: SealedSecret): boolean {
  const mask = maskSecret(secret);
  return text === mask || ('shown' in secret && canParseUrl(text) && text === new URL(mask).href);
}

/** Whether an input URL contains a mask, literally or percent-encoded by a client that parsed it. */
export function isMaskedUrl(text: string): boolean {
  return text.includes(MASK) || text.toUpperCase().includes(encodeURIComponent(MASK));
}
