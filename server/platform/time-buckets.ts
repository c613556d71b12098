/** The upper bound of each bucket in milliseconds; one more bucket has no bound. */
export const TIME_BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];

/** A histogram of durations. */
export class TimeBuckets {
  /** One count per bound, and one above the last. */
  readonly counts: number[] = new Array(TIME_BOUNDS_MS.length + 1).fill(0);
  totalMs = 0;

  /** Counts a duration; a negative one counts as 0. */
  observe(ms: number): void {
    const time = Math.max(0, ms);
    const found = TIME_BOUNDS_MS.findIndex((bound) => time <= bound);
    const index = found === -1 ? TIME_BOUNDS_MS.length : found;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.totalMs += time;
  }
}

/** The time that work waited for a shared slot in this process, by the kind of the pool. */
const waits = new Map<string, TimeBuckets>();

export function observeWait(kind: string, ms: number): void {
  let buckets = waits.get(kind);
  if (!buckets) {
    buckets = new TimeBuckets();
    waits.set(kind, buckets);
  }
  buckets.observe(ms);
}

/** The counts since the start of this process. */
export function waitsByKind(): Record<string, { counts: number[]; totalMs: number }> {
  return Object.fromEntries([...waits].map(([kind, { counts, totalMs }]) => [kind, { counts: [...counts], totalMs }]));
}
