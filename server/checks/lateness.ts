/** Up to how late, in milliseconds, each bucket reaches; what begins later is in one more. */
export const LATENESS_BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];

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
    const from = LATENESS_BOUNDS_MS[index - 1] ?? 0;
    const to = LATENESS_BOUNDS_MS[index] ?? from;
    if (below + count >= wanted) return from + (to - from) * ((wanted - below) / count);
    below += count;
  }
  return LATENESS_BOUNDS_MS.at(-1) ?? null;
}

/** Counts how late a worker's checks begin. */
export class Lateness {
  private readonly counts: number[] = new Array(LATENESS_BOUNDS_MS.length + 1).fill(0);
  private totalMs = 0;
  /** What had been counted at moments of the window, the oldest first. */
  private readonly marks: { at: number; counts: number[] }[];

  /** @param now milliseconds of any clock that only goes forward */
  constructor(now: number) {
    this.marks = [{ at: now, counts: [...this.counts] }];
  }

  /** Counts a check that begins `lateMs` after it was due. */
  observe(lateMs: number): void {
    const late = Math.max(0, lateMs);
    const found = LATENESS_BOUNDS_MS.findIndex((bound) => late <= bound);
    const index = found === -1 ? LATENESS_BOUNDS_MS.length : found;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.totalMs += late;
  }

  /** The figures at `now`, by the clock of the constructor. Asked every few seconds, since each answer marks the window. */
  figures(now: number): LatenessFigures {
    const counts = [...this.counts];
    this.marks.push({ at: now, counts });
    while ((this.marks[1]?.at ?? now) <= now - WINDOW_MS) this.marks.shift();
    const first = this.marks[0] ?? { at: now, counts };
    const recent = counts.map((count, index) => count - (first.counts[index] ?? 0));
    const checks = recent.reduce((sum, count) => sum + count, 0);
    const minutes = (now - first.at) / 60_000;
    return {
      counts,
      totalMs: this.totalMs,
      perMinute: minutes > 0 ? checks / minutes : 0,
      p99Ms: quantile(recent, 0.99),
    };
  }
}
