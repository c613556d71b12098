import type { TimeRange } from '@/server/history/uptime';
import type { Db } from '@/server/platform/db';

/** The latest outages, exclusions and maintenance periods of a range, oldest first. The end of an outage that lasts is null. */
export interface Latest {
  outages: { from: Date; to: Date | null }[];
  exclusions: TimeRange[];
  maintenance: TimeRange[];
}

/** The maximum number of each that a chart can show. */
const MOST_SHOWN = 100;

/** Reads the latest outages (without the parts in maintenance), exclusions and maintenance periods of a monitor that has too many to read all. */
export async function readLatest(db: Db, num: number, { from, to }: TimeRange): Promise<Latest> {
  // Raw: the difference of ranges.
  const outages = await db.$queryRaw<Latest['outages']>`
    with latest as materialized (
      select started_at, ended_at from status_spans
      where monitor_num = ${num} and status = 'down' and started_at < ${to} and (ended_at is null or ended_at > ${from})
      order by started_at desc limit ${MOST_SHOWN}
    )
    select lower(down) as "from", upper(down) as "to" from unnest(
      (select range_agg(tstzrange(started_at, ended_at)) from latest) - coalesce((
        select range_agg(tstzrange(starts_at, ends_at)) from maintenance_periods
        where monitor_num = ${num} and starts_at < ends_at and ends_at > (select min(started_at) from latest)
      ), '{}')
    ) down
    where lower(down) < ${to} order by 1 desc limit ${MOST_SHOWN}`;
  const exclusions = await db.uptimeExclusion.findMany({
    where: { monitor: { num }, startsAt: { lt: to }, endsAt: { gt: from } },
    select: { startsAt: true, endsAt: true },
    orderBy: { startsAt: 'desc' },
    take: MOST_SHOWN,
  });
  const maintenance = await db.maintenancePeriod.findMany({
    where: { monitorNum: num, startsAt: { lt: to }, endsAt: { gt: from } },
    select: { startsAt: true, endsAt: true },
    orderBy: { startsAt: 'desc' },
    take: MOST_SHOWN,
  });
  const toStretch = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) => ({ from: startsAt, to: endsAt });
  return {
    outages: outages.reverse(),
    exclusions: exclusions.reverse().map(toStretch),
    maintenance: maintenance.reverse().map(toStretch),
  };
}
