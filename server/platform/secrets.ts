import { seal, unseal } from './crypto';
import { hintOf, MASK, maskUrlText, urlAsShown } from './schema';

export { MASK };

/** An encrypted secret in stored JSON, with a hint for display: its last four characters, or a URL without its secret parts. */
export type SealedSecret = { sealed: string } & ({ hint: string } | { shown: string });

/** Encrypts a credential. The hint is its last four characters. */
export function sealSecret(plain: string): SealedSecret & { hint: string } {
  return { sealed: seal(plain), hint: hintOf(plain) };
}

/** Encrypts a text that may contain a secret anywhere, such as a request body. It has no hint, because its end could be the secret. */
export function sealText(plain: string): SealedSecret {
  return { sealed: seal(plain), hint: '' };
}

/** Whether a URL, or a template of one, may contain a secret in its userinfo, query or fragment. */
export function mayHoldSecret(plain: string): boolean {
  return maskUrlText(plain, { keepsPath: true }) !== urlAsShown(plain);
}

/**
 * Returns the stored form of a URL, or of a template of one: encrypted if it may contain a secret, otherwise plain text. The host, and with
 * `keepsPath` the path, are not secret.
 */
export function sealUrl(plain: string, { keepsPath }: { keepsPath: boolean }): SealedSecret | string {
  const shown = maskUrlText(plain, { keepsPath });
  return shown === urlAsShown(plain) ? plain : { sealed: seal(plain), shown };
}

/**
 * Decrypts a secret.
 * @throws UnknownKeyError if it was sealed under neither the current nor the previous APP_SECRET
 */
export function openSecret(secret: SealedSecret): string {
  return unseal(secret.sealed);
}

/** Returns the mask of a secret: "••••" and its hint, or a URL with "••••" in place of its secret parts. */
export function maskSecret(secret: SealedSecret): string {
  return 'shown' in secret ? secret.shown : MASK + secret.hint;
}

/** Whether an input is the mask of the stored secret, which means to keep the secret. */
export function isMask(text: string, secret: SealedSecret): boolean {
  const mask = maskSecret(secret);
  return text === mask || ('shown' in secret && text === urlAsShown(mask));
}

/** Whether an input URL contains a mask, literally or percent-encoded by a client that parsed it. */
export function isMaskedUrl(text: string): boolean {
  return text.includes(MASK) || text.toUpperCase().includes(encodeURIComponent(MASK));
}
