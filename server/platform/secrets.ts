import { seal, unseal } from './crypto';

/** A secret inside stored JSON. `hint` is its last four characters, or empty where that would tell too much of it. */
export interface SealedSecret {
  sealed: string;
  hint: string;
}

const MASK = '••••';
const HINT_LENGTH = 4;
/** A shorter secret shows nothing of itself. */
const SHORTEST_WITH_HINT = 8;

/** What is stored in a secret's place. */
export function sealSecret(plain: string): SealedSecret {
  const characters = Array.from(plain);
  const hint = characters.length < SHORTEST_WITH_HINT ? '' : characters.slice(-HINT_LENGTH).join('');
  return { sealed: seal(plain), hint };
}

/** The secret itself. Throws where it was sealed under another APP_SECRET. */
export function openSecret(secret: SealedSecret): string {
  return unseal(secret.sealed);
}

/** What anyone may see of a secret: "••••" and its hint. */
export function maskSecret(secret: SealedSecret): string {
  return MASK + secret.hint;
}

/** Whether a text that came in is the mask that was handed out, which means: leave the secret as it is. */
export function isMask(text: string, secret: SealedSecret): boolean {
  return text === maskSecret(secret);
}
