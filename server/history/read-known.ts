import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { type Asked, readPieces } from './read-pieces';
import type { Known, Span } from './uptime';
import { knownUntil, type Watched } from './watch';

/** The fields of a monitor that affect how its past is read. */
export interface WatchedMonitor extends Watched {
  num: number;
  lastCheckedAt: Date | null;
}

/**
 * The maximum number of spans, exclusions and maintenance periods of a monitor that are read one by one. Most monitors change their status a few
 * times a week; for those with more changes, the database computes the sums.
 */
const MOST_ROWS = 100;

interface Rows {
  num: number;
  exceedsRows: boolean;
  spans: [status: Span['status'], startedAt: number, endedAt: number | null][] | null;
  exclusions: [from: number, to: number][] | null;
  maintenance: [from: number, to: number][] | null;
}

const moment = (seconds: number) => new Date(Math.round(seconds * 1000));
const stretches = (rows: [from: number, to: number][] | null | undefined) =>
  (rows ?? []).map(([from, to]) => ({ from: moment(from), to: moment(to) }));

/** Combines up to MOST_ROWS + 1 rows of (starts_at, ends_at) into one value. */
const oneValue = (rows: Prisma.Sql) => Prisma.sql`
  select count(*) as count, json_agg(json_build_array(extract(epoch from starts_at), extract(epoch from ends_at))) as value
  from (${rows} limit ${MOST_ROWS + 1}) r`;

/** Matches rows that overlap one of the ranges of their monitor. The caller also compares the first and last time, which an index can use. */
const isAsked = (row: Prisma.Sql) => Prisma.sql`exists (
  select 1 from unnest(n.froms, n.tos) a (from_at, to_at) where ${row}.starts_at < a.to_at and ${row}.ends_at > a.from_at
)`;

/**
 * Reads the spans, exclusions and maintenance periods of monitors in the requested ranges, and possibly more; none for a monitor with more than
 * MOST_ROWS. Uses one statement with one row per monitor, because parsing thousands of rows costs more than finding them.
 */
function readRows(db: Db, asked: Asked[]): Promise<Rows[]> {
  const exclusions = Prisma.sql`
    select starts_at, ends_at from uptime_exclusions e join monitors m on m.id = e.monitor_id
    where m.num = n.num and e.starts_at < n.to_at and e.ends_at > n.from_at and ${isAsked(Prisma.sql`e`)}`;
  const maintenance = Prisma.sql`
    select starts_at, ends_at from maintenance_periods p
    where p.monitor_num = n.num and p.starts_at < n.to_at and p.ends_at > n.from_at and ${isAsked(Prisma.sql`p`)}`;
  // Raw: finds the span before each range with a lateral join.
  return db.$queryRaw<Rows[]>`
    with asked as materialized (
      select * from unnest(
        ${asked.map(({ num }) => num)}::int[], ${asked.map(({ from }) => from)}::timestamptz[],
        ${asked.map(({ to }) => to)}::timestamptz[]) as a (num, from_at, to_at)
    ), found as (
      select monitor_num, count(*) as count, json_agg(json_build_array(
        status, extract(epoch from started_at), extract(epoch from ended_at)) order by started_at) as value
      from (
        select distinct s.monitor_num, s.status, s.started_at, s.ended_at from asked a cross join lateral (
          select * from status_spans s where s.monitor_num = a.num and s.started_at < a.to_at
            and s.started_at >= coalesce((
              select max(b.started_at) from status_spans b where b.monitor_num = a.num and b.started_at <= a.from_at
            ), '-infinity')
          limit ${MOST_ROWS + 1}
        ) s
      ) s group by 1
    )
    select num, "exceedsRows", case when not "exceedsRows" then spans end as spans, case when not "exceedsRows" then exclusions end as exclusions,
      case when not "exceedsRows" then maintenance end as maintenance
    from (
      select n.num, f.value as spans, e.value as exclusions, p.value as maintenance,
        greatest(f.count, e.count, p.count) > ${MOST_ROWS} as "exceedsRows"
      from (
        select num, min(from_at) as from_at, max(to_at) as to_at, array_agg(from_at) as froms, array_agg(to_at) as tos from asked group by num
      ) n left join found f on f.monitor_num = n.num
      cross join lateral (${oneValue(exclusions)}) e cross join lateral (${oneValue(maintenance)}) p
    ) r`;
}

/**
 * Reads the past of monitors in the requested ranges. The result is bounded: each monitor gets up to MOST_ROWS rows of each kind, or instead the time
 * per state of each part of its ranges (`pieces`).
 */
export async function readKnown(db: Db, monitors: WatchedMonitor[], asked: Asked[]): Promise<Map<number, Known>> {
  const rows = await readRows(db, asked);
  const byNum = new Map(rows.map((row) => [row.num, row]));
  const untilOf = (monitor: WatchedMonitor) => knownUntil(monitor, monitor.lastCheckedAt);
  const exceeding = monitors.filter(({ num }) => byNum.get(num)?.exceedsRows);
  const pieces = await readPieces(
    db,
    exceeding.map((each) => ({ num: each.num, watchedUntil: untilOf(each) })),
    asked,
  );
  return new Map(
    monitors.map((monitor) => {
      const { exceedsRows, spans, exclusions, maintenance } = byNum.get(monitor.num) ?? {};
      const known: Known = {
        spans: (spans ?? []).map(([status, startedAt, endedAt]) => {
          return { status, startedAt: moment(startedAt), endedAt: endedAt === null ? null : moment(endedAt) };
        }),
        exclusions: stretches(exclusions),
        maintenance: stretches(maintenance),
        watchedUntil: untilOf(monitor),
        ...(exceedsRows && { pieces: pieces.get(monitor.num) ?? [] }),
      };
      return [monitor.num, known];
    }),
  );
}
