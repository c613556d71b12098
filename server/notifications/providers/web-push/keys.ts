import { createECDH } from 'node:crypto';
import { derivedSecrets } from '@/server/platform/crypto';

/** A key pair of VAPID (RFC 8292) on P-256, in base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** The order of the group of P-256 (SP 800-186 §3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Derives a key pair from uniform bytes: 128 bits more than a key has, so that the remainder is uniform too (FIPS 186-5 §A.2.1). */
function toKeys(secret: Buffer): PushKeys {
  const scalar = (BigInt(`0x${secret.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

const keys = () => derivedSecrets('web push', 48).map(toKeys);

/** Returns the public key that browsers subscribe with. It is derived from APP_SECRET, so that all processes have the same. */
export function pushPublicKey(): string {
  const [present] = keys();
  if (!present) throw new Error('There is no APP_SECRET.');
  return present.publicKey;
}

/** Returns the key pair that a browser subscribed with; null if it was derived from another APP_SECRET. */
export function pushKeysOf(publicKey: string): PushKeys | null {
  return keys().find((each) => each.publicKey === publicKey) ?? null;
}
