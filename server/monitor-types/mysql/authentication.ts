import { constants, createHash, createPublicKey, publicEncrypt } from 'node:crypto';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';

/** The length of the server's random bytes that a password is hashed with. */
export const SEED_BYTES = 20;
/** OpenSSL takes milliseconds for a key of this length, and far longer for larger ones. */
const MOST_KEY_BITS = 8_192;

const hash = (algorithm: 'sha1' | 'sha256', ...parts: (string | Buffer)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash(algorithm)).digest();

/** Each byte of `text` with that of `key` at the same place; a shorter key is repeated. */
const xor = (text: Buffer, key: Buffer) =>
  Buffer.from(text.map((byte, index) => byte ^ (key[index % key.length] ?? 0)));

/** The proof of `mysql_native_password`: SHA1(password) XOR SHA1(seed + SHA1(SHA1(password))). */
function nativeProof(password: string, seed: Buffer): Buffer {
  const once = hash('sha1', password);
  return xor(once, hash('sha1', seed, hash('sha1', once)));
}

/** The proof of `caching_sha2_password`: SHA256(password) XOR SHA256(SHA256(SHA256(password)) + seed). */
function cachingProof(password: string, seed: Buffer): Buffer {
  const once = hash('sha256', password);
  return xor(once, hash('sha256', hash('sha256', once), seed));
}

/** The methods whose first message is a proof without the password itself. */
const PROOFS: Record<string, (password: string, seed: Buffer) => Buffer> = {
  mysql_native_password: nativeProof,
  caching_sha2_password: cachingProof,
};

export const CACHING = 'caching_sha2_password';

/**
 * The answer to the server's seed. Empty without a password.
 * @throws TargetFailure for methods that Upwatch does not support, among them those that send the password as it is
 */
export function proofFor(method: string, password: string, seed: Buffer): Buffer {
  const proof = Object.hasOwn(PROOFS, method) ? PROOFS[method] : undefined;
  if (!proof) {
    const name = JSON.stringify(method.slice(0, 40));
    throw new TargetFailure(`The server asks for the authentication ${name}, which Upwatch does not support`);
  }
  return password === '' ? Buffer.alloc(0) : proof(password, seed);
}

/** The password for the server's RSA key, as `caching_sha2_password` sends it without TLS (OAEP of RFC 8017). */
export function encryptPassword(password: string, seed: Buffer, pem: Buffer): Buffer {
  try {
    const key = createPublicKey({ key: pem, format: 'pem' });
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType !== 'rsa' || modulusLength > MOST_KEY_BITS) throw new RangeError('not a usual key');
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, xor(Buffer.from(`${password}\0`), seed));
  } catch {
    throw new TargetFailure('The server sent a key that cannot encrypt the password');
  }
}
