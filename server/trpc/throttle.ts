import { bucketOf, networkBucketOf, networkOf } from '@/server/platform/caller-network';
import { sha256 } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { rateLimited } from '@/server/platform/errors';
import { type Counted, kv, StoreAwayError } from '@/server/platform/kv';
import { log } from '@/server/platform/log';

const ATTEMPTS = 10;
const ATTEMPT_WINDOW_SECONDS = 15 * 60;
const FAMILIAR_SECONDS = 90 * 24 * 60 * 60;

/**
 * Returns the result of `work`, or `fallback` if the key-value store is unreachable. Sign-ins are not throttled then: password hashing is limited
 * anyway, and monitoring must stay accessible.
 */
async function orElse<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // The caller that made the reservation has logged the failure.
    if (!(error instanceof StoreAwayError))
      log.warn({ err: error }, 'The key-value store did not respond; sign-in attempts are not throttled');
    return fallback;
  }
}

function count(key: string, ttlSeconds: number): Promise<Counted> {
  return orElse(kv.incr(key, { ttlSeconds }), { value: 0, ttlSeconds });
}

/**
 * Counts a call of a sign-in operation from `address` and rejects those over AUTH_RATE_LIMIT_PER_MINUTE (0: no limit).
 * @throws AppError RATE_LIMITED
 */
export async function limitAuth(address: string): Promise<void> {
  const limit = env.authRateLimitPerMinute;
  if (limit === 0) return;
  const { value, ttlSeconds } = await count(`auth:address:${networkBucketOf(networkOf(address))}`, 60);
  if (value > limit) {
    const message = `Too many attempts from your IP address. Try again in ${ttlSeconds} s.`;
    throw rateLimited(message, { limit, resetSeconds: ttlSeconds });
  }
}

/** Returns the key prefix of an account's throttle entries. Hashes the email address. */
export function throttlePrefix(email: string): string {
  return `auth:account:${sha256(email)}:`;
}

function familiarKey(email: string, address: string): string {
  return `${throttlePrefix(email)}familiar:${networkOf(address)}`;
}

/** Records the network of `address` as one that the owner of an account signs in from, for 90 days. */
export async function rememberAddress(email: string, address: string): Promise<void> {
  await orElse(kv.set(familiarKey(email, address), '1', { ttlSeconds: FAMILIAR_SECONDS }), undefined);
}

/** Returns the key of the counter of attempts on an account. Unknown accounts share a fixed number of counters. */
function attemptsKey(email: string, hasAccount: boolean, familiarNetwork: string | null): string {
  if (!hasAccount) return `auth:no-account:${bucketOf(email)}`;
  return `${throttlePrefix(email)}attempts:${familiarNetwork ?? 'strangers'}`;
}

/**
 * Counts a sign-in attempt before its password is checked: 10 in 15 min per account, whether it exists or not. A network from which the account was
 * used in the last 90 days has its own counter, so that guesses from elsewhere do not lock the owner out; all other networks share one.
 * @returns a function to call once the password was correct: resets the counter and records the network
 * @throws AppError RATE_LIMITED
 */
export async function countAttempt(
  email: string,
  address: string,
  { hasAccount }: { hasAccount: boolean },
): Promise<() => Promise<void>> {
  const familiar = await orElse(kv.get(familiarKey(email, address)), null);
  const key = attemptsKey(email, hasAccount, familiar ? networkOf(address) : null);
  const { value, ttlSeconds } = await count(key, ATTEMPT_WINDOW_SECONDS);
  if (value > ATTEMPTS) {
    const minutes = Math.ceil(ttlSeconds / 60);
    const message = `Too many attempts for this account. Try again in ${minutes} min.`;
    throw rateLimited(message, { limit: ATTEMPTS, resetSeconds: ttlSeconds });
  }
  return async () => {
    await Promise.all([orElse(kv.del(key), undefined), rememberAddress(email, address)]);
  };
}
