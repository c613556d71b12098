const MINUTE_MS = 60_000;
/** The interval of deleting full buckets. */
const SWEEP_EVERY_MS = 10_000;

/**
 * Token buckets by key, which fill at a steady rate. Uses the generic cell rate algorithm (ITU-T I.371), which stores one time per key. A key without
 * one has a full bucket.
 */
export class TokenBuckets {
  private readonly everyMs: number;
  /** The time at which the bucket of each key is full again, by a monotonic clock. */
  private readonly fullAt = new Map<string, number>();
  private sweptAt = 0;

  /** @param burst the tokens of a full bucket */
  constructor(
    perMinute: number,
    private readonly burst: number,
  ) {
    this.everyMs = MINUTE_MS / perMinute;
  }

  /** The number of buckets that are not full. */
  get size(): number {
    return this.fullAt.size;
  }

  /**
   * Takes a token.
   * @returns 0, or the milliseconds until there is one
   */
  take(key: string, now = performance.now()): number {
    this.sweep(now);
    const fullAt = Math.max(now, this.fullAt.get(key) ?? 0);
    // A microsecond of tolerance for the sum of floating-point numbers.
    const waitMs = fullAt - now - (this.burst - 1) * this.everyMs;
    if (waitMs > 0.001) return waitMs;
    this.fullAt.set(key, fullAt + this.everyMs);
    return 0;
  }

  /** Gives a taken token back. */
  giveBack(key: string): void {
    const fullAt = this.fullAt.get(key);
    if (fullAt !== undefined) this.fullAt.set(key, fullAt - this.everyMs);
  }

  private sweep(now: number): void {
    if (now < this.sweptAt + SWEEP_EVERY_MS) return;
    this.sweptAt = now;
    for (const [key, fullAt] of this.fullAt) if (fullAt <= now) this.fullAt.delete(key);
  }
}
