import type { Db } from '@/server/platform/db';
import type { Known, Span, Stretch } from './uptime';
import { knownUntil, type Watched } from './watch';

/** The fields of a monitor that affect how its past is read. */
export interface WatchedMonitor extends Watched {
  num: number;
  lastCheckedAt: Date | null;
}

/** A requested range of a monitor's past. */
export interface Asked extends Stretch {
  num: number;
}

interface Rows {
  num: number;
  spans: [status: Span['status'], startedAt: number, endedAt: number | null][] | null;
  exclusions: [from: number, to: number][] | null;
  maintenance: [from: number, to: number][] | null;
}

const moment = (seconds: number) => new Date(Math.round(seconds * 1000));
const stretches = (rows: [from: number, to: number][] | null | undefined) =>
  (rows ?? []).map(([from, to]) => ({ from: moment(from), to: moment(to) }));

/**
 * The spans of monitors in the requested ranges, and possibly more. One statement, and one row per monitor, since parsing thousands of rows costs
 * more than finding them.
 */
export async function readKnown(db: Db, monitors: WatchedMonitor[], asked: Asked[]): Promise<Map<number, Known>> {
  // Raw: finds the span before each range with a lateral join.
  const rows = await db.$queryRaw<Rows[]>`
    with asked as materialized (
      select * from unnest(
        ${asked.map(({ num }) => num)}::int[], ${asked.map(({ from }) => from)}::timestamptz[],
        ${asked.map(({ to }) => to)}::timestamptz[]) as a (num, from_at, to_at)
    ), found as (
      select distinct s.monitor_num, s.status, s.started_at, s.ended_at from asked a cross join lateral (
        select * from status_spans s where s.monitor_num = a.num and s.started_at < a.to_at
          and s.started_at >= coalesce((
            select max(b.started_at) from status_spans b where b.monitor_num = a.num and b.started_at <= a.from_at
          ), '-infinity')
      ) s
    )
    select n.num, (
      select json_agg(json_build_array(status, extract(epoch from started_at), extract(epoch from ended_at))
        order by started_at) from found where monitor_num = n.num
    ) as spans, (
      select json_agg(json_build_array(extract(epoch from starts_at), extract(epoch from ends_at)))
      from uptime_exclusions e join monitors m on m.id = e.monitor_id
      where m.num = n.num and exists (
        select 1 from asked a where a.num = n.num and e.starts_at < a.to_at and e.ends_at > a.from_at
      )
    ) as exclusions, (
      select json_agg(json_build_array(extract(epoch from starts_at), extract(epoch from ends_at)))
      from maintenance_periods p where p.monitor_num = n.num and exists (
        select 1 from asked a where a.num = n.num and p.starts_at < a.to_at and p.ends_at > a.from_at
      )
    ) as maintenance
    from (select distinct num from asked) n`;
  const byNum = new Map(rows.map((row) => [row.num, row]));
  return new Map(
    monitors.map((monitor) => {
      const { spans, exclusions, maintenance } = byNum.get(monitor.num) ?? {};
      const known = {
        spans: (spans ?? []).map(([status, startedAt, endedAt]) => {
          return { status, startedAt: moment(startedAt), endedAt: endedAt === null ? null : moment(endedAt) };
        }),
        exclusions: stretches(exclusions),
        maintenance: stretches(maintenance),
        watchedUntil: knownUntil(monitor, monitor.lastCheckedAt),
      };
      return [monitor.num, known];
    }),
  );
}
