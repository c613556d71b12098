import { hash, verify } from '@node-rs/argon2';
import { randomToken } from '@/server/platform/crypto';
import { rateLimited } from '@/server/platform/errors';
import { assertUncommon } from './common-passwords';

/** The cost of argon2id (RFC 9106), the library's default algorithm, as OWASP advises: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The number of concurrent hashes. They use Node's pool of four threads, which files and DNS lookups need too. */
const AT_ONCE = 2;
/** The maximum number of queued hashes; further requests are rejected. */
const MAX_WAITING = 64;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when a slot is free, so that a burst of sign-ins takes time instead of memory. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw rateLimited('Too many people are signing in right now.', { limit: MAX_WAITING, resetSeconds: 2 });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    // The slot is passed on directly, so that no other request takes it in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Passwords that look the same on different keyboards are equal (NIST SP 800-63B §3.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC');

/**
 * Hashes a new password.
 * @throws AppError RATE_LIMITED if the queue is full
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalise(password), COST));
}

/**
 * Hashes a chosen password.
 * @throws AppError VALIDATION_ERROR at `field` (a common password), RATE_LIMITED if the queue is full
 */
export async function hashNewPassword(password: string, field: string): Promise<string> {
  await assertUncommon(password, field);
  return hashPassword(password);
}

let decoy: Promise<string> | undefined;

/** Returns a hash that no password matches. */
function decoyHash(): Promise<string> {
  decoy ??= hash(randomToken(), COST);
  return decoy;
}

/**
 * Verifies `password` against `stored`. Without a stored hash it does the same work against one that nothing matches, so that the response time does
 * not reveal whether the account exists.
 * @throws AppError RATE_LIMITED if the queue is full
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = await decoyHash();
  return inTurn(async () => (await verify(stored ?? against, normalise(password))) && stored !== null);
}
