/** The maximum relative error of a value from a histogram: a twentieth. */
const TOLERANCE = 0.05;
const LONGEST_MS = 2_147_483_647;
/** One byte for the bucket number and two for the count, big-endian; a larger count takes further entries. */
const ENTRY_BYTES = 3;
export const MOST_IN_ENTRY = 65_535;

function makeBuckets(): { lower: number[]; values: number[] } {
  const lower: number[] = [];
  const values: number[] = [];
  for (let bound = 0; bound <= LONGEST_MS; ) {
    const value = Math.floor(bound * (1 + TOLERANCE));
    lower.push(bound);
    values.push(value);
    bound = Math.floor(value / (1 - TOLERANCE)) + 1;
  }
  return { lower, values };
}

const buckets = makeBuckets();

/**
 * The lower bound of each latency bucket in whole milliseconds: up to 18 ms one bucket per value, then each a tenth wider. Stored rows live for a
 * year, so the bounds must never change.
 */
export const LOWER_BOUNDS: readonly number[] = buckets.lower;

/** The number of latencies in each bucket, by bucket number. */
export type Counts = Uint32Array;

export const noCounts = (): Counts => new Uint32Array(LOWER_BOUNDS.length);

/** Adds a stored histogram to `counts`. */
export function addHistogram(counts: Counts, stored: Uint8Array): void {
  for (let at = 0; at + ENTRY_BYTES <= stored.length; at += ENTRY_BYTES) {
    const bucket = stored[at] ?? 0;
    counts[bucket] = (counts[bucket] ?? 0) + (stored[at + 1] ?? 0) * 256 + (stored[at + 2] ?? 0);
  }
}

/**
 * Returns the value that a share of all values does not exceed (like PostgreSQL's `percentile_disc`), in whole milliseconds and at most 5 % off; null
 * if there are no values.
 * @param share from 0 to 1
 */
export function percentile(counts: Counts, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  const bucket = counts.findIndex((count) => {
    seen += count;
    return seen >= rank;
  });
  return buckets.values[bucket] ?? null;
}

export interface Percentiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** Computes the three displayed percentiles. */
export function toPercentiles(counts: Counts): Percentiles {
  return { p50: percentile(counts, 0.5), p95: percentile(counts, 0.95), p99: percentile(counts, 0.99) };
}
