import { createHash } from 'node:crypto';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';

/** The length of the server's random bytes that a password is hashed with. */
export const SEED_BYTES = 20;

const hash = (algorithm: 'sha1' | 'sha256', ...parts: (string | Buffer)[]) =>
  parts.reduce((sum, part) => sum.update(part), createHash(algorithm)).digest();

/** XORs each byte of `text` with that of `key` at the same place; a shorter key is repeated. */
const xor = (text: Buffer, key: Buffer) =>
  Buffer.from(text.map((byte, index) => byte ^ (key[index % key.length] ?? 0)));

/** Returns the proof of `mysql_native_password`: SHA1(password) XOR SHA1(seed + SHA1(SHA1(password))). */
function nativeProof(password: string, seed: Buffer): Buffer {
  const once = hash('sha1', password);
  return xor(once, hash('sha1', seed, hash('sha1', once)));
}

/** Returns the proof of `caching_sha2_password`: SHA256(password) XOR SHA256(SHA256(SHA256(password)) + seed). */
function cachingProof(password: string, seed: Buffer): Buffer {
  const once = hash('sha256', password);
  return xor(once, hash('sha256', hash('sha256', once), seed));
}

/** The authentication methods that prove the password without sending it. */
const PROOFS: Record<string, (password: string, seed: Buffer) => Buffer> = {
  mysql_native_password: nativeProof,
  caching_sha2_password: cachingProof,
};

export const CACHING = 'caching_sha2_password';

/**
 * Returns the proof of the password for the server's seed; empty for an empty password.
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
