import type { Db } from '@/server/platform/db';
import { DAY_MS } from '@/server/time/schema';
import { HOURS_A_DAY, hourOf } from '../time';
import { addHistogram, noCounts, percentile } from './histogram';
import { answered } from './histogram-sql';

/** The number of latest results that are read for a monitor without a rolled-up hour. */
const LATEST = 500;

/**
 * Returns the 95th percentile of the latency of successful checks in the last 24 h by monitor, in milliseconds. Computes it from hourly roll-ups, or
 * from the latest results of a monitor without any. Monitors without a successful check are missing.
 */
export async function readP95(db: Db, nums: number[], now: Date): Promise<Map<number, number>> {
  const since = hourOf(now) - HOURS_A_DAY;
  // Raw: joins the histograms of a monitor into one value.
  const rows = await db.$queryRaw<{ num: number; latencies: Uint8Array | null }[]>`
    select n.num, (
      select string_agg(h.latencies, '') from check_hours h where h.monitor_num = n.num and h.hour >= ${since}::int
    ) as latencies
    from unnest(${nums}::int[]) n (num)`;
  const found = new Map<number, number>();
  for (const { num, latencies } of rows) {
    const counts = noCounts();
    if (latencies) addHistogram(counts, latencies);
    const p95 = percentile(counts, 0.95);
    if (p95 !== null) found.set(num, p95);
  }
  const fresh = rows.filter(({ latencies }) => latencies === null).map(({ num }) => num);
  if (fresh.length === 0) return found;
  // Raw: a percentile of each monitor's latest results.
  const latest = await db.$queryRaw<{ num: number; p95: number }[]>`
    select n.num, percentile_disc(0.95) within group (order by c.latency_ms) as p95
    from unnest(${fresh}::int[]) n (num) cross join lateral (
      select latency_ms from checks
      where monitor_num = n.num and at >= ${new Date(now.getTime() - DAY_MS)} and ${answered}
      order by at desc limit ${LATEST}
    ) c group by 1`;
  for (const { num, p95 } of latest) found.set(num, p95);
  return found;
}
