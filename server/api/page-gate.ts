import type { IncomingMessage } from 'node:http';
import { networkBucketOf, networkOf } from '@/server/platform/caller-network';
import { rateLimited } from '@/server/platform/errors';
import { TokenBuckets } from '@/server/platform/token-buckets';
import { readSessionCookie } from '@/server/trpc/session';
import { Turns } from './turns';

/**
 * The number of pages rendered concurrently. A page takes 20 to 70 ms of the main thread; others use that thread while the first waits for the
 * database.
 */
const SLOTS = 3;
const MOST_WAITING = 200;
/** The fraction of a minute's limit that may arrive as one burst. */
const BURST_PART = 1 / 5;
/** The minimum Retry-After, so that retries do not add to the load. */
const LEAST_SECONDS = 5;

/**
 * Limits page requests, so that one network cannot occupy the web process: each user, or each network for requests without a session, has a token
 * bucket, and networks share a few slots fairly (docs/decisions/0021-limits.md).
 */
export class PageGate {
  private readonly turns = new Turns({
    kind: 'page',
    slots: SLOTS,
    mostWaiting: MOST_WAITING,
    retryAfterSeconds: LEAST_SECONDS,
  });
  private readonly buckets: TokenBuckets;

  /** @param limit pages per minute; 0 turns the limit off, but not the queue */
  constructor(private readonly limit: number) {
    this.buckets = new TokenBuckets(limit, Math.max(1, Math.floor(limit * BURST_PART)));
  }

  /**
   * Waits for a slot. The returned function releases it; without a call, it is released after a second.
   * @param gone aborted when the client disconnects; `enter` then rejects with the signal's reason
   * @throws AppError RATE_LIMITED, or UNAVAILABLE if too many requests wait
   */
  async enter({ headers }: Pick<IncomingMessage, 'headers'>, gone: AbortSignal): Promise<() => void> {
    const network = networkBucketOf(networkOf(String(headers['x-upwatch-address'])));
    // The cookie is verified, so that a forged one cannot bypass the limit of its network.
    const userId = (await readSessionCookie(headers.cookie ?? null))?.userId;
    this.count(userId ? `user:${userId}` : network);
    return this.turns.enter({ team: network, ...(userId && { host: userId }) }, gone);
  }

  private count(caller: string): void {
    if (this.limit === 0) return;
    const waitMs = this.buckets.take(caller);
    if (waitMs === 0) return;
    const resetSeconds = Math.max(LEAST_SECONDS, Math.ceil(waitMs / 1000));
    const message = `Limit of ${this.limit} pages per minute exceeded. Try again in ${resetSeconds} s.`;
    throw rateLimited(message, { limit: this.limit, resetSeconds });
  }
}
