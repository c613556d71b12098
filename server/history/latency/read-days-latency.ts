import type { Db } from '@/server/platform/db';
import { HOURS_A_DAY } from '../time';
import { addHistogram, type Counts, noCounts } from './histogram';

/**
 * Returns one latency histogram per monitor for a range of days (UTC). Adds up daily roll-ups, and hourly ones after a monitor's last rolled-up day.
 * Leaves out the latest hours that are not rolled up yet.
 * @param end exclusive
 */
export async function readDaysLatency(
  db: Db,
  nums: number[],
  first: number,
  end: number,
): Promise<Map<number, Counts>> {
  // Raw: joins the histograms of a monitor into one value.
  const rows = await db.$queryRaw<{ num: number; days: Uint8Array | null; hours: Uint8Array | null }[]>`
    select n.num, (
      select string_agg(d.latencies, '') from check_days d
      where d.monitor_num = n.num and d.day >= ${first}::int and d.day < ${end}::int
    ) as days, (
      select string_agg(h.latencies, '') from check_hours h
      where h.monitor_num = n.num and h.hour < ${end * HOURS_A_DAY}::int and h.hour >= ${HOURS_A_DAY}::int * greatest(
        ${first}::int, (select coalesce(max(d.day) + 1, 0) from check_days d where d.monitor_num = n.num)
      )
    ) as hours
    from unnest(${nums}::int[]) n (num)`;
  return new Map(
    rows.map(({ num, days, hours }) => {
      const counts = noCounts();
      if (days) addHistogram(counts, days);
      if (hours) addHistogram(counts, hours);
      return [num, counts];
    }),
  );
}
