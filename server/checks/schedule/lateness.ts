import { TIME_BOUNDS_MS, TimeBuckets } from '@/server/platform/metrics/time-buckets';

/** The window of `perMinute` and `p99Ms`. */
const WINDOW_MS = 5 * 60_000;

/** How many checks a worker has started, and how late. */
export interface LatenessFigures {
  /** The number of checks in each bucket since the worker started; the last bucket has no upper bound. */
  counts: number[];
  /** The sum of their lateness. */
  totalMs: number;
  /** Checks per minute in the last five minutes, or since the start. */
  perMinute: number;
  /** The 99th percentile of the lateness in that time, interpolated within its bucket; null without checks. */
  p99Ms: number | null;
}

/** Returns a quantile of the counts, assuming an even distribution within each bucket. */
function quantile(counts: number[], share: number): number | null {
  const wanted = share * counts.reduce((sum, count) => sum + count, 0);
  if (wanted === 0) return null;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    const from = TIME_BOUNDS_MS[index - 1] ?? 0;
    const to = TIME_BOUNDS_MS[index] ?? from;
    if (below + count >= wanted) return from + (to - from) * ((wanted - below) / count);
    below += count;
  }
  return TIME_BOUNDS_MS.at(-1) ?? null;
}

/** Measures how late a worker's checks start. */
export class Lateness {
  private readonly all = new TimeBuckets();
  /** The counts at earlier times of the window, oldest first. */
  private readonly marks: { at: number; counts: number[] }[];

  /** @param now milliseconds of any monotonic clock */
  constructor(now: number) {
    this.marks = [{ at: now, counts: [...this.all.counts] }];
  }

  /** Counts a check that starts `lateMs` after it was due. */
  observe(lateMs: number): void {
    this.all.observe(lateMs);
  }

  /** The figures at `now`, by the clock of the constructor. Call it every few seconds, because each call adds a mark to the window. */
  figures(now: number): LatenessFigures {
    const counts = [...this.all.counts];
    this.marks.push({ at: now, counts });
    while ((this.marks[1]?.at ?? now) <= now - WINDOW_MS) this.marks.shift();
    const first = this.marks[0] ?? { at: now, counts };
    const recent = counts.map((count, index) => count - (first.counts[index] ?? 0));
    const checks = recent.reduce((sum, count) => sum + count, 0);
    const minutes = (now - first.at) / 60_000;
    return {
      counts,
      totalMs: this.all.totalMs,
      perMinute: minutes > 0 ? checks / minutes : 0,
      p99Ms: quantile(recent, 0.99),
    };
  }
}
