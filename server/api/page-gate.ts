import type { IncomingHttpHeaders } from 'node:http';
import { networkBucketOf, networkOf } from '@/server/platform/caller-network';
import { AppError, rateLimited } from '@/server/platform/errors';
import { FairPool, type Share } from '@/server/platform/fair-pool';
import { TokenBuckets } from '@/server/platform/token-buckets';
import { readSessionCookie } from '@/server/trpc/session';

/** A page takes 20 to 70 ms of the thread that answers everything. A second and a third one use it while the first waits for the database. */
const PLACES = 3;
const MOST_WAITING = 200;
/** A page that takes longer waits for the database or for a slow reader, and leaves its place to others. */
const LONGEST_MS = 1_000;
/** The part of a minute's pages that may come at once. */
const BURST_PART = 1 / 5;
/** Sooner, a browser that tries again would add to the load. */
const LEAST_SECONDS = 5;

const busy = () =>
  new AppError('UNAVAILABLE', 'Too many pages are being requested. Try again in a few seconds.', {
    retryAfterSeconds: LEAST_SECONDS,
  });

/** A request that waits for its turn. */
type Waiter = AbortController;

/**
 * Lets page requests in, so that those of one network do not keep the web process from everything else: each user, and each network of requests without
 * a session, has a token bucket, and networks share a few places fairly (docs/decisions/0021-limits.md).
 */
export class PageGate {
  private readonly pool = new FairPool({ kind: 'page', places: PLACES });
  private readonly buckets: TokenBuckets;
  /** By network, latest last. */
  private readonly lines = new Map<string, Waiter[]>();
  private waiting = 0;

  /** @param limit pages per minute; 0 turns the limit off, not the turns */
  constructor(private readonly limit: number) {
    this.buckets = new TokenBuckets(limit, Math.max(1, Math.floor(limit * BURST_PART)));
  }

  /**
   * Waits for a place. It is given back a second later, or by the returned function.
   * @param gone aborted when the client is gone: then it rejects with the signal's reason
   * @throws AppError RATE_LIMITED, or UNAVAILABLE if too many requests wait
   */
  async enter(headers: IncomingHttpHeaders, gone: AbortSignal): Promise<() => void> {
    const network = networkBucketOf(networkOf(String(headers['x-upwatch-address'])));
    // The cookie is verified, so a forged one does not lift the limit of its network.
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

  /** The network with the most waiting requests loses its latest one, so that a flood does not fill the queue for others. */
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
