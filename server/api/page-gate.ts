import type { IncomingHttpHeaders } from 'node:http';
import { networkBucketOf, networkOf } from '@/server/platform/caller-network';
import { AppError, rateLimited } from '@/server/platform/errors';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { TokenBuckets } from '@/server/platform/token-buckets';
import { readSessionCookie } from '@/server/trpc/session';

/**
 * The number of pages rendered concurrently. A page takes 20 to 70 ms of the main thread; others use that thread while the first waits for the
 * database.
 */
const PLACES = 3;
const MOST_WAITING = 200;
/** A page that takes longer waits for the database or a slow client, and releases its slot. */
const LONGEST_MS = 1_000;
/** The fraction of a minute's limit that may arrive as one burst. */
const BURST_PART = 1 / 5;
/** The minimum Retry-After, so that retries do not add to the load. */
const LEAST_SECONDS = 5;

const busy = () =>
  new AppError('UNAVAILABLE', 'Too many pages are being requested. Try again in a few seconds.', {
    retryAfterSeconds: LEAST_SECONDS,
  });

/** A request that waits for its turn. */
type Waiter = AbortController;

/**
 * Limits page requests, so that one network cannot occupy the web process: each user, or each network for requests without a session, has a token
 * bucket, and networks share a few slots fairly (docs/decisions/0021-limits.md).
 */
export class PageGate {
  private readonly pool = new FairPool({ kind: 'page', places: PLACES });
  private readonly buckets: TokenBuckets;
  /** Waiting requests by network, oldest first. */
  private readonly lines = new Map<string, Waiter[]>();
  private waiting = 0;

  /** @param limit pages per minute; 0 turns the limit off, but not the queue */
  constructor(private readonly limit: number) {
    this.buckets = new TokenBuckets(limit, Math.max(1, Math.floor(limit * BURST_PART)));
  }

  /**
   * Waits for a slot. The returned function releases it; otherwise it is released after a second.
   * @param gone aborted when the client disconnects; `enter` then rejects with the signal's reason
   * @throws AppError RATE_LIMITED, or UNAVAILABLE if too many requests wait
   */
  async enter(headers: IncomingHttpHeaders, gone: AbortSignal): Promise<() => void> {
    const network = networkBucketOf(networkOf(String(headers['x-upwatch-address'])));
    // The cookie is verified, so that a forged one cannot bypass the limit of its network.
    const userId = (await readSessionCookie(headers.cookie ?? null))?.userId;
    this.count(userId ? `user:${userId}` : network);
    const leave = await this.wait(network, { team: network, ...(userId && { host: userId }) }, gone);
    const timer = setTimeout(() => end(), LONGEST_MS);
    let end = () => {
      clearTimeout(timer);
      end = () => undefined;
      leave();
    };
    return () => end();
  }

  private count(caller: string): void {
    if (this.limit === 0) return;
    const waitMs = this.buckets.take(caller);
    if (waitMs === 0) return;
    const resetSeconds = Math.max(LEAST_SECONDS, Math.ceil(waitMs / 1000));
    const message = `Limit of ${this.limit} pages per minute exceeded. Try again in ${resetSeconds} s.`;
    throw rateLimited(message, { limit: this.limit, resetSeconds });
  }

  private async wait(network: string, share: Share, gone: AbortSignal): Promise<() => void> {
    const waiter: Waiter = new AbortController();
    const line = this.lines.get(network) ?? [];
    this.lines.set(network, line);
    line.push(waiter);
    this.waiting += 1;
    if (this.waiting > MOST_WAITING) this.dropOne();
    try {
      return await this.pool.enter(share, AbortSignal.any([gone, waiter.signal]));
    } finally {
      this.remove(network, waiter);
    }
  }

  private remove(network: string, waiter: Waiter): void {
    const line = this.lines.get(network) ?? [];
    const index = line.indexOf(waiter);
    if (index === -1) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(network);
    this.waiting -= 1;
  }

  /** Rejects the newest waiting request of the network with the most of them, so that a flood does not fill the queue for others. */
  private dropOne(): void {
    const [network = '', line = []] = [...this.lines].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    );
    const latest = line.at(-1);
    if (!latest) return;
    this.remove(network, latest);
    latest.abort(busy());
  }
}
