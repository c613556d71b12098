/** The upper bound of each bucket in milliseconds; one more bucket has no bound. */
export const TIME_BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];

/** A histogram's counts, one per bound and one above the last, and the sum of its durations. */
export type BucketCounts = { counts: number[]; totalMs: number };

/** A histogram of durations. */
export class TimeBuckets implements BucketCounts {
  readonly counts: number[];
  totalMs = 0;

  /** @param bounds the upper bound of each bucket in milliseconds */
  constructor(private readonly bounds: readonly number[] = TIME_BOUNDS_MS) {
    this.counts = new Array(bounds.length + 1).fill(0);
  }

  /** Counts a duration; a negative one counts as 0. */
  observe(ms: number): void {
    const time = Math.max(0, ms);
    const found = this.bounds.findIndex((bound) => time <= bound);
    const index = found === -1 ? this.bounds.length : found;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.totalMs += time;
  }
}

const kept = globalThis as typeof globalThis & { upwatchWaits?: Map<string, TimeBuckets> };
// Shared through globalThis, because Next loads modules for pages and for route handlers separately.
kept.upwatchWaits ??= new Map();
/** The histograms of how long work waited for a shared slot in this process, by kind of pool. */
const waits = kept.upwatchWaits;

export function observeWait(kind: string, ms: number): void {
  let buckets = waits.get(kind);
  if (!buckets) {
    buckets = new TimeBuckets();
    waits.set(kind, buckets);
  }
  buckets.observe(ms);
}

/** Returns the histograms of waits for shared slots since the start of this process, by kind of pool. */
export function waitsByKind(): Record<string, BucketCounts> {
  return Object.fromEntries([...waits].map(([kind, { counts, totalMs }]) => [kind, { counts: [...counts], totalMs }]));
}
