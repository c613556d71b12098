import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { env } from './env';
import { OwnError } from './own-error';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A text was sealed under an APP_SECRET that this process does not know. */
export class UnknownKeyError extends OwnError {
  static override readonly kind: string = 'UnknownKeyError';

  constructor() {
    super('Sealed under another APP_SECRET than the present one.');
  }
}

interface Key {
  id: string;
  bytes: Buffer;
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `upwatch ${purpose}`, bytes));
}

/** Returns the ID of the key that is derived from an APP_SECRET. Every sealed text contains it; it reveals nothing about the secret. */
export function keyIdOf(secret: string): string {
  return derive(secret, 'seal key id', 6).toString('base64url');
}

function toKey(secret: string): Key {
  return { id: keyIdOf(secret), bytes: derive(secret, 'seal', 32) };
}

let cached: { present: Key; previous: Key | null } | null = null;

function keys() {
  const { appSecret, appSecretPrevious } = env;
  if (!appSecret) throw new Error('APP_SECRET is not set: start Upwatch with "npm start".');
  cached ??= { present: toKey(appSecret), previous: appSecretPrevious ? toKey(appSecretPrevious) : null };
  return cached;
}

/**
 * Encrypts a text with AES-256-GCM (NIST SP 800-38D). HKDF (RFC 5869) derives the key from APP_SECRET. The result is `v1.<key id>.<base64url of IV,
 * ciphertext and tag>`. The key ID tells `unseal` to use APP_SECRET or APP_SECRET_PREVIOUS, or to reject the text.
 */
export function seal(plain: string): string {
  const key = keys().present;
  const head = `${VERSION}.${key.id}`;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(head));
  const body = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${head}.${body.toString('base64url')}`;
}

/**
 * Decrypts a text that `seal` encrypted.
 * @throws UnknownKeyError if it was sealed under neither the current nor the previous APP_SECRET
 * @throws Error if the text was altered
 */
export function unseal(sealed: string): string {
  const { present, previous } = keys();
  const [version, keyId, encoded, ...rest] = sealed.split('.');
  if (version !== VERSION || !keyId || !encoded || rest.length > 0) throw new Error('Not a sealed text.');
  const key = [present, previous].find((known) => known?.id === keyId);
  if (!key) throw new UnknownKeyError();
  const body = Buffer.from(encoded, 'base64url');
  if (body.length < IV_BYTES + TAG_BYTES) throw new Error('Not a sealed text.');
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, body.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(`${version}.${keyId}`))
    .setAuthTag(body.subarray(-TAG_BYTES));
  const plain = [decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
  return Buffer.concat(plain).toString('utf8');
}

/** Returns the prefix of texts that are sealed under APP_SECRET_PREVIOUS; null if that is not set, or equal to APP_SECRET. */
export function previousSeal(): string | null {
  const { present, previous } = keys();
  return previous && previous.id !== present.id ? `${VERSION}.${previous.id}.` : null;
}

/** Derives secrets for a purpose: one from the current APP_SECRET, then one from APP_SECRET_PREVIOUS, if it is set. */
export function derivedSecrets(purpose: string, bytes: number): Buffer[] {
  const { appSecret, appSecretPrevious } = env;
  if (!appSecret) throw new Error('APP_SECRET is not set: start Upwatch with "npm start".');
  return [appSecret, ...(appSecretPrevious ? [appSecretPrevious] : [])].map((secret) => derive(secret, purpose, bytes));
}

/** Returns the SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

let hashKey: Buffer | null = null;

/** Returns a keyed hash of a text (HMAC-SHA256, RFC 2104). The key is derived from APP_SECRET. */
export function keyedHash(text: string): Buffer {
  const { appSecret } = env;
  if (!appSecret) throw new Error('APP_SECRET is not set: start Upwatch with "npm start".');
  hashKey ??= derive(appSecret, 'keyed hash', 32);
  return createHmac('sha256', hashKey).update(text, 'utf8').digest();
}

/** Generates a random token in base64url: 256 bits by default. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Compares two texts in constant time. */
export function safeEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
}
