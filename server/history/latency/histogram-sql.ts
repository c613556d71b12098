import { Prisma } from '@/server/platform/generated/prisma/client';
import { hourStart } from '../time';
import { LOWER_BOUNDS, MOST_IN_ENTRY } from './histogram';

/** Matches raw results that count for latency: successful checks only, because a failed one may be fast. */
export const answered = Prisma.sql`status in ('up', 'degraded') and latency_ms is not null`;

/** Aggregates rows of (bucket, count) into one stored histogram. */
const packed = Prisma.sql`coalesce(string_agg(
  substring(int4send(bucket << 16 | least(${MOST_IN_ENTRY}::int, count - ${MOST_IN_ENTRY}::int * part)::int) from 2), ''
  order by bucket) filter (where bucket is not null), '')`;

/** Generates one row per entry, because a large count needs several. */
const parts = Prisma.sql`generate_series(0, ((count - 1) / ${MOST_IN_ENTRY}::int)::int) part`;

/**
 * Returns a query for rows (monitor_num, hour, checks, latencies) from raw results of monitors, with an exclusive end hour. Failed checks, and those
 * without a latency, are counted as checks but not in the histogram.
 */
export function hoursFromChecks(nums: number[], from: number, to: number): Prisma.Sql {
  return Prisma.sql`
    select monitor_num, hour, sum(count) filter (where part = 0)::int as checks, ${packed} as latencies
    from (
      select monitor_num, floor(extract(epoch from at) / 3600)::int as hour,
        case when ${answered} then width_bucket(latency_ms, ${LOWER_BOUNDS}::int[]) - 1 end as bucket, count(*)::int as count
      from checks
      where monitor_num = any(${nums}::int[]) and at >= ${hourStart(from)} and at < ${hourStart(to)}
      group by 1, 2, 3
    ) counted cross join lateral ${parts}
    group by 1, 2`;
}

/** Returns a query for rows (monitor_num, day, checks, latencies) summed from hours of monitors, with an exclusive end day. */
export function daysFromHours(nums: number[], from: number, to: number): Prisma.Sql {
  const hours = Prisma.sql`
    select monitor_num, hour / 24 as day, checks, latencies from check_hours
    where monitor_num = any(${nums}::int[]) and hour >= ${from * 24}::int and hour < ${to * 24}::int`;
  return Prisma.sql`
    select d.monitor_num, d.day, d.checks, coalesce(h.latencies, '') as latencies
    from (select monitor_num, day, sum(checks)::int as checks from (${hours}) h group by 1, 2) d
    left join (
      select monitor_num, day, ${packed} as latencies
      from (
        select monitor_num, day, get_byte(latencies, at) as bucket,
          sum(get_byte(latencies, at + 1) * 256 + get_byte(latencies, at + 2))::int as count
        from (${hours}) h cross join lateral generate_series(0, length(latencies) - 1, 3) at
        group by 1, 2, 3
      ) counted cross join lateral ${parts}
      group by 1, 2
    ) h using (monitor_num, day)`;
}
