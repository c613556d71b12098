import { rateLimitKey } from '@/server/auth/rate-limit-key';
import type { Actor } from '@/server/auth/resolve-actor';
import { networkOf } from '@/server/auth/throttle';
import { env } from '@/server/platform/env';
import { rateLimited } from '@/server/platform/errors';
import { kv, StoreAwayError } from '@/server/platform/kv';
import { log } from '@/server/platform/log';

const WINDOW_SECONDS = 60;
/** Requests are counted in lots of a fiftieth of the limit, so that the store is not written for each of them. */
const LOTS = 50;

/** What a process has taken of a caller's window and not used yet. */
interface Share {
  /** Requests taken from the store and not made yet. */
  left: number;
  /** What the window had left in the store when the lot was taken. */
  remaining: number;
  endsAt: number;
}

const shares = new Map<string, Share>();
const takings = new Map<string, Promise<unknown>>();

function keyOf(actor: Actor, address: string): string {
  if (actor.kind === 'key') return rateLimitKey('key', actor.keyId);
  if (actor.kind === 'user') return rateLimitKey('user', actor.user.id);
  return rateLimitKey('address', networkOf(address));
}

function sweep(now: number): void {
  if (shares.size < 1000) return;
  for (const [key, { endsAt }] of shares) if (endsAt <= now) shares.delete(key);
}

async function takeLot(key: string, limit: number): Promise<Share> {
  const lot = Math.max(1, Math.floor(limit / LOTS));
  const { value, ttlSeconds } = await kv.incr(key, { ttlSeconds: WINDOW_SECONDS, by: lot });
  sweep(Date.now());
  // The lot that crosses the limit is good for the part below it.
  const granted = Math.max(0, Math.min(lot, limit - (value - lot)));
  return { left: granted, remaining: Math.max(0, limit - value), endsAt: Date.now() + ttlSeconds * 1000 };
}

/**
 * Takes one request of the caller's share, in one step with finding it there. Of those that find none, the first takes a
 * lot from the store and the others wait for it.
 */
async function takeOne(key: string, limit: number): Promise<{ share: Share; allowed: boolean }> {
  for (;;) {
    const share = shares.get(key);
    if (share && share.endsAt > Date.now()) {
      if (share.left > 0) {
        share.left -= 1;
        return { share, allowed: true };
      }
      if (share.remaining === 0) return { share, allowed: false };
    }
    const taking =
      takings.get(key) ??
      takeLot(key, limit)
        .then((taken) => shares.set(key, taken))
        .finally(() => takings.delete(key));
    takings.set(key, taking);
    await taking;
  }
}

/**
 * Counts a request against its credential's RATE_LIMIT_PER_MINUTE, else its address's (0: no limit), and puts
 * `ratelimit-limit`, `-remaining` and `-reset` (seconds) on the answer. With the store away requests pass.
 *
 * @throws AppError RATE_LIMITED
 */
export async function limitRate(actor: Actor, address: string, headers: Headers): Promise<void> {
  const limit = env.rateLimitPerMinute;
  if (limit === 0) return;
  const key = keyOf(actor, address);
  let taken: Awaited<ReturnType<typeof takeOne>>;
  try {
    taken = await takeOne(key, limit);
  } catch (error) {
    // Whoever waited for it said so.
    if (!(error instanceof StoreAwayError))
      log.warn({ err: error }, 'The key-value store did not answer; requests go on without their limit');
    return;
  }
  const { share, allowed } = taken;
  const reset = Math.max(1, Math.ceil((share.endsAt - Date.now()) / 1000));
  headers.set('ratelimit-limit', String(limit));
  headers.set('ratelimit-remaining', String(share.remaining + share.left));
  headers.set('ratelimit-reset', String(reset));
  if (!allowed) {
    throw rateLimited(`Over ${limit} requests in a minute. Try again in ${reset} s.`, { limit, resetSeconds: reset });
  }
}
