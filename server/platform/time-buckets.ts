/** Up to how many milliseconds each bucket reaches; what takes longer is in one more. */
export const TIME_BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];

/** Counts times by their length. */
export class TimeBuckets {
  /** A number for each bound, and one for what is above the last. */
  readonly counts: number[] = new Array(TIME_BOUNDS_MS.length + 1).fill(0);
  totalMs = 0;

  /** Counts one time; a negative one counts as none. */
  observe(ms: number): void {
    const time = Math.max(0, ms);
    const found = TIME_BOUNDS_MS.findIndex((bound) => time <= bound);
    const index = found === -1 ? TIME_BOUNDS_MS.length : found;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.totalMs += time;
  }
}

/** How long work waited for a shared place in this process, by the kind of the pool. */
const waits = new Map<string, TimeBuckets>();

export function observeWait(kind: string, ms: number): void {
  let buckets = waits.get(kind);
  if (!buckets) {
    buckets = new TimeBuckets();
    waits.set(kind, buckets);
  }
  buckets.observe(ms);
}

/** What this process has counted since its start. */
export function waitsByKind(): Record<string, { counts: number[]; totalMs: number }> {
  return Object.fromEntries([...waits].map(([kind, { counts, totalMs }]) => [kind, { counts: [...counts], totalMs }]));
}
