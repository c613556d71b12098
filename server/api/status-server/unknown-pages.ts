import type { IncomingMessage } from 'node:http';
import { networkBucketOf, networkOf } from '@/server/platform/caller-network';
import { env } from '@/server/platform/env';
import { rateLimited } from '@/server/platform/errors';
import { TokenBuckets } from '@/server/platform/token-buckets';
import type { Snapshot } from '@/server/status-pages/snapshots/shared-snapshots';
import type { Snapshots } from '@/server/status-pages/snapshots/snapshots';

/** The fraction of a minute's limit that may arrive as one burst. */
const BURST_PART = 1 / 5;

/**
 * Limits reads of pages without a snapshot in this process. Each read is a query, so each network may request as many unknown pages as dashboard
 * pages. Does not count existing pages and failed reads.
 */
export class UnknownPages {
  private readonly buckets: TokenBuckets;

  constructor(
    private readonly snapshots: Pick<Snapshots, 'get'>,
    private readonly limit = env.pageRateLimitPerMinute,
  ) {
    this.buckets = new TokenBuckets(limit, Math.max(1, Math.floor(limit * BURST_PART)));
  }

  /**
   * Returns the snapshot of a page; null if there is no such page. Counts only unknown pages.
   * @throws AppError RATE_LIMITED before anything is read
   */
  async find({ headers }: Pick<IncomingMessage, 'headers'>, slug: string): Promise<Snapshot | null> {
    if (this.limit === 0) return this.snapshots.get(slug);
    const network = networkBucketOf(networkOf(String(headers['x-upwatch-address'])));
    const waitMs = this.buckets.take(network);
    if (waitMs > 0) {
      const resetSeconds = Math.ceil(waitMs / 1000);
      const message = `Limit of ${this.limit} unknown status pages per minute exceeded. Try again in ${resetSeconds} s.`;
      throw rateLimited(message, { limit: this.limit, resetSeconds });
    }
    let isUnknown = false;
    try {
      const snapshot = await this.snapshots.get(slug);
      isUnknown = snapshot === null;
      return snapshot;
    } finally {
      if (!isUnknown) this.buckets.giveBack(network);
    }
  }
}
