import { TIME_BOUNDS_MS, TimeBuckets } from '@/server/platform/time-buckets';

/** What is recent, for `perMinute` and `p99Ms`. */
const WINDOW_MS = 5 * 60_000;

/** How many checks a worker has begun, and how late. */
export interface LatenessFigures {
  /** Checks in each bucket since the worker started, the last one without a bound. */
  counts: number[];
  /** All their lateness together. */
  totalMs: number;
  /** Checks a minute in the last five minutes, or since the start. */
  perMinute: number;
  /** 99 of 100 checks in that time began at most this late, as near as the buckets tell; null where there was none. */
  p99Ms: number | null;
}

/** The value below which a share of what is counted lies, evenly spread within its bucket. */
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

/** Counts how late a worker's checks begin. */
export class Lateness {
  private readonly all = new TimeBuckets();
  /** What had been counted at moments of the window, the oldest first. */
  private readonly marks: { at: number; counts: number[] }[];

  /** @param now milliseconds of any clock that only goes forward */
  constructor(now: number) {
    this.marks = [{ at: now, counts: [...this.all.counts] }];
  }

  /** Counts a check that begins `lateMs` after it was due. */
  observe(lateMs: number): void {
    this.all.observe(lateMs);
  }

  /** The figures at `now`, by the clock of the constructor. Asked every few seconds, since each answer marks the window. */
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
