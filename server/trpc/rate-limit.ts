import { networkBucketOf, networkOf, siteOf } from '@/server/platform/caller-network';
import { env } from '@/server/platform/env';
import { rateLimited } from '@/server/platform/errors';
import { kv, StoreAwayError } from '@/server/platform/kv';
import { log } from '@/server/platform/log';
import type { Actor } from './actor';

const WINDOW_SECONDS = 60;
/** The parts of the limit in which a process reserves requests in the store, so that it does not write to it for each request. */
const LOTS = 50;
/** The interval at which expired windows are deleted. */
const SWEEP_EVERY_MS = 10_000;
/** The factor for dashboard reads: a page reloads changed data up to twice a second, so a user with several pages reads far more than a script. */
const DASHBOARD_READS = 10;

/** The unused part of this process's reservation in a caller's window. */
interface Reservation {
  /** Requests reserved in the store and not used yet. */
  left: number;
  /** Requests left in the store for this window after the reservation. */
  remaining: number;
  /** The end of the window in milliseconds, by the monotonic clock. */
  endsAt: number;
}

const reservations = new Map<string, Reservation>();
const pendingLots = new Map<string, Promise<unknown>>();

/** The counted caller, and whether this is a dashboard read. */
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

/**
 * Deletes expired windows, at most every 10 s. This limits `reservations` to the callers of the last minute; anonymous callers share one entry per
 * network.
 */
function sweep(now: number): void {
  if (now < sweptAt + SWEEP_EVERY_MS) return;
  sweptAt = now;
  for (const [key, { endsAt }] of reservations) if (endsAt <= now) reservations.delete(key);
}

/** Reserves a lot of requests in the store for this process. */
async function takeLot(key: string, limit: number): Promise<Reservation> {
  const lot = Math.max(1, Math.floor(limit / LOTS));
  const { value, ttlSeconds } = await kv.incr(key, { ttlSeconds: WINDOW_SECONDS, by: lot });
  sweep(performance.now());
  // A reservation that crosses the limit is valid up to it.
  const granted = Math.max(0, Math.min(lot, limit - (value - lot)));
  return { left: granted, remaining: Math.max(0, limit - value), endsAt: performance.now() + ttlSeconds * 1000 };
}

/**
 * Takes one request of this process's reservation, synchronously if one is left. Otherwise, the first caller makes a new reservation in the store,
 * and the others wait for it.
 * @returns whether the request is within the limit
 */
async function takeOne(key: string, limit: number): Promise<{ reservation: Reservation; allowed: boolean }> {
  for (;;) {
    const reservation = reservations.get(key);
    if (reservation && reservation.endsAt > performance.now()) {
      if (reservation.left > 0) {
        reservation.left -= 1;
        return { reservation, allowed: true };
      }
      if (reservation.remaining === 0) return { reservation, allowed: false };
    }
    const pending =
      pendingLots.get(key) ??
      takeLot(key, limit)
        .then((taken) => reservations.set(key, taken))
        .finally(() => pendingLots.delete(key));
    pendingLots.set(key, pending);
    await pending;
  }
}

/**
 * Counts one request against `limit` per minute under `key`, and sets the headers. 0 is no limit. If the store is unreachable, requests pass.
 * @throws AppError RATE_LIMITED
 */
async function count(key: string, limit: number, headers: Headers): Promise<void> {
  if (limit === 0) return;
  let taken: Awaited<ReturnType<typeof takeOne>>;
  try {
    taken = await takeOne(key, limit);
  } catch (error) {
    // The caller that made the reservation has logged the failure.
    if (!(error instanceof StoreAwayError))
      log.warn({ err: error }, 'The key-value store did not respond; requests are not rate-limited');
    return;
  }
  const { reservation, allowed } = taken;
  const reset = Math.max(1, Math.ceil((reservation.endsAt - performance.now()) / 1000));
  headers.set('ratelimit-limit', String(limit));
  headers.set('ratelimit-remaining', String(reservation.remaining + reservation.left));
  headers.set('ratelimit-reset', String(reset));
  if (!allowed) {
    throw rateLimited(`Rate limit of ${limit} requests per minute exceeded. Try again in ${reset} s.`, {
      limit,
      resetSeconds: reset,
    });
  }
}

/**
 * Counts a request against RATE_LIMIT_PER_MINUTE (0: no limit) of its credential, or of its network if it has none. Sets `ratelimit-limit`,
 * `-remaining` and `-reset` (seconds). Dashboard reads have a separate limit, ten times as high.
 * @throws AppError RATE_LIMITED
 */
export function limitRate(caller: Caller, headers: Headers): Promise<void> {
  const limit = env.rateLimitPerMinute * (caller.isDashboardRead && caller.actor.kind === 'user' ? DASHBOARD_READS : 1);
  return count(keyOf(caller), limit, headers);
}

/**
 * Counts a request to an unknown secret URL, such as a heartbeat's, or one with a wrong signature, against the client's network. Valid requests are
 * not counted, because a network may have many jobs.
 * @throws AppError RATE_LIMITED
 */
export function limitUnknownPings(address: string, headers: Headers): Promise<void> {
  return count(rateLimitKey('pings', networkBucketOf(siteOf(address))), env.rateLimitPerMinute, headers);
}

/**
 * Counts an authentic callback against its channel.
 * @throws AppError RATE_LIMITED
 */
export function limitCallbacks(channelId: string, headers: Headers): Promise<void> {
  return count(rateLimitKey('callbacks', channelId), env.rateLimitPerMinute, headers);
}

/**
 * Counts a read of a calendar feed against the feed, whatever the client.
 * @throws AppError RATE_LIMITED
 */
export function limitFeedReads(feedId: string, headers: Headers): Promise<void> {
  return count(rateLimitKey('feeds', feedId), env.rateLimitPerMinute, headers);
}

/**
 * The fraction of the rate limit, by team, for calls that cost more than others: those that notify its channels, each of which gets a message, and
 * those that check a target with unsaved settings.
 */
const TEAM_PARTS = { notifying: 1 / 10, trying: 1 / 4 };
export type TeamLimit = keyof typeof TEAM_PARTS;

/**
 * Counts a call of one of these kinds against the team, whatever the credential.
 * @throws AppError RATE_LIMITED
 */
export function limitTeam(kind: TeamLimit, teamId: string): Promise<void> {
  const limit = Math.ceil(env.rateLimitPerMinute * TEAM_PARTS[kind]);
  // The headers of the response are for the limit of the credential, so these are dropped.
  return count(rateLimitKey(kind, teamId), limit, new Headers());
}

/**
 * The kind of caller for rate limits: a key, a user, a user's dashboard reads, the notifications of a team, its checks with unsaved settings, the
 * callbacks of a channel, the reads of a calendar feed, or a network.
 */
type RateLimitKind = TeamLimit | 'key' | 'user' | 'reads' | 'address' | 'pings' | 'callbacks' | 'feeds';

/** Returns the key of a rate limit in the key-value store, so that the entry can be deleted with its owner. */
export function rateLimitKey(kind: RateLimitKind, id: string): string {
  return `rate:${kind}:${id}`;
}
