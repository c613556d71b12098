import { networkBucketOf, networkOf, siteOf } from '@/server/platform/caller-network';
import { env } from '@/server/platform/env';
import { rateLimited } from '@/server/platform/errors';
import { kv, StoreAwayError } from '@/server/platform/kv';
import { log } from '@/server/platform/log';
import { rateLimitKey } from './rate-limit-key';
import type { Actor } from './resolve-actor';

const WINDOW_SECONDS = 60;
/** Requests are counted in lots of a fiftieth of the limit, so that the store is not written for each of them. */
const LOTS = 50;
/** How often what is kept of windows that have ended is dropped. */
const SWEEP_EVERY_MS = 10_000;
/**
 * A dashboard page reads again whatever changes, up to twice a second, so a person with several open reads far more than a
 * script does.
 */
const DASHBOARD_READS = 10;

/** What a process has taken of a caller's window and not used yet. */
interface Share {
  /** Requests taken from the store and not made yet. */
  left: number;
  /** What the window had left in the store when the lot was taken. */
  remaining: number;
  /** By the steady clock. */
  endsAt: number;
}

const shares = new Map<string, Share>();
const takings = new Map<string, Promise<unknown>>();

/** Who is counted: the caller, and whether this is something their dashboard only reads. */
export interface Caller {
  actor: Actor;
  address: string;
  isDashboardRead?: boolean;
}

function keyOf({ actor, address, isDashboardRead }: Caller): string {
  if (actor.kind === 'key') return rateLimitKey('key', actor.keyId);
  if (actor.kind === 'user') return rateLimitKey(isDashboardRead ? 'reads' : 'user', actor.user.id);
  return rateLimitKey('address', networkBucketOf(networkOf(address)));
}

let sweptAt = 0;

/** Keeps `shares` to the callers of the last minute; of those without a credential there is one per bucket at most. */
function sweep(now: number): void {
  if (now < sweptAt + SWEEP_EVERY_MS) return;
  sweptAt = now;
  for (const [key, { endsAt }] of shares) if (endsAt <= now) shares.delete(key);
}

async function takeLot(key: string, limit: number): Promise<Share> {
  const lot = Math.max(1, Math.floor(limit / LOTS));
  const { value, ttlSeconds } = await kv.incr(key, { ttlSeconds: WINDOW_SECONDS, by: lot });
  sweep(performance.now());
  // The lot that crosses the limit is good for the part below it.
  const granted = Math.max(0, Math.min(lot, limit - (value - lot)));
  return { left: granted, remaining: Math.max(0, limit - value), endsAt: performance.now() + ttlSeconds * 1000 };
}

/**
 * Takes one request of the caller's share, in one step with finding it there. Of those that find none, the first takes a
 * lot from the store and the others wait for it.
 */
async function takeOne(key: string, limit: number): Promise<{ share: Share; allowed: boolean }> {
  for (;;) {
    const share = shares.get(key);
    if (share && share.endsAt > performance.now()) {
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

/** Counts one against `limit` under `key`, and says so in the headers. With the store away requests pass. */
async function count(key: string, limit: number, headers: Headers): Promise<void> {
  if (limit === 0) return;
  let taken: Awaited<ReturnType<typeof takeOne>>;
  try {
    taken = await takeOne(key, limit);
  } catch (error) {
    // Whoever waited for it said so.
    if (!(error instanceof StoreAwayError))
      log.warn({ err: error }, 'The key-value store did not respond; requests are not rate-limited');
    return;
  }
  const { share, allowed } = taken;
  const reset = Math.max(1, Math.ceil((share.endsAt - performance.now()) / 1000));
  headers.set('ratelimit-limit', String(limit));
  headers.set('ratelimit-remaining', String(share.remaining + share.left));
  headers.set('ratelimit-reset', String(reset));
  if (!allowed) {
    throw rateLimited(`Rate limit of ${limit} requests per minute exceeded. Try again in ${reset} s.`, {
      limit,
      resetSeconds: reset,
    });
  }
}

/**
 * Counts a request against its credential's RATE_LIMIT_PER_MINUTE, else its network's (0: no limit), and puts
 * `ratelimit-limit`, `-remaining` and `-reset` (seconds) on the answer. What a dashboard reads has ten times that, apart.
 *
 * @throws AppError RATE_LIMITED
 */
export function limitRate(caller: Caller, headers: Headers): Promise<void> {
  const limit = env.rateLimitPerMinute * (caller.isDashboardRead && caller.actor.kind === 'user' ? DASHBOARD_READS : 1);
  return count(keyOf(caller), limit, headers);
}

/**
 * Counts a ping to an address without a heartbeat against the site it came from. Pings that are good are not counted, so a
 * site may be large.
 *
 * @throws AppError RATE_LIMITED
 */
export function limitUnknownPings(address: string, headers: Headers): Promise<void> {
  return count(rateLimitKey('pings', networkBucketOf(siteOf(address))), env.rateLimitPerMinute, headers);
}
