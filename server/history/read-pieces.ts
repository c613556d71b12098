import type { Db } from '@/server/platform/db';
import { merge, type Piece, type State, type TimeRange } from './uptime';

/** Points at equal distances in milliseconds, one of which is `from`. */
export interface Grid {
  from: number;
  ms: number;
}

/** A requested range of a monitor's past and the points that divide it. Only the parts between these points can be computed. */
export interface Asked extends TimeRange {
  num: number;
  grids: Grid[];
}

/** A monitor with more changes than are read one by one. */
export interface Restless {
  num: number;
  watchedUntil: Date | null;
}

/** Returns all points at which the ranges are divided, including their ends, in order, in milliseconds. */
function pointsOf(asked: Asked[]): number[] {
  const points = new Set<number>();
  for (const { from, to, grids } of asked) {
    const [start, end] = [from.getTime(), to.getTime()];
    points.add(start).add(end);
    for (const { from: origin, ms } of grids) {
      for (let at = origin + (Math.floor((start - origin) / ms) + 1) * ms; at < end; at += ms) points.add(at);
    }
  }
  return [...points].sort((a, b) => a - b);
}

/** Converts the time per state of each part to pieces that follow each other from the start of the part. */
function toPieces(points: number[], times: [part: number, state: State, ms: number][]): Piece[] {
  let end = Number.NEGATIVE_INFINITY;
  return times.map(([part, state, ms]) => {
    const from = Math.max(end, points[part - 1] ?? end);
    end = from + ms;
    return { state, from, to: end };
  });
}

const toDate = (ms: number) => new Date(ms);

/**
 * Computes the time per state of monitors between the points that divide the requested ranges, in the form of `Known.pieces`. The size of the result
 * depends on the number of points, not on the number of spans, exclusions and maintenance periods.
 */
export async function readPieces(db: Db, monitors: Restless[], asked: Asked[]): Promise<Map<number, Piece[]>> {
  if (monitors.length === 0) return new Map();
  const byNum = new Map<number, Asked[]>(monitors.map(({ num }) => [num, []]));
  for (const each of asked) byNum.get(each.num)?.push(each);
  const ranges = [...byNum].flatMap(([num, each]) => merge(each).map((range) => ({ num, ...range })));
  const points = new Map([...byNum].map(([num, each]) => [num, pointsOf(each)]));
  const allPoints = [...points].flatMap(([num, ats]) => ats.map((at) => ({ num, at: toDate(at) })));
  const watched = monitors.flatMap(({ num, watchedUntil }) => (watchedUntil ? [{ num, watchedUntil }] : []));
  // Raw: computes the sums in the database. `bounds` are the points and the ends of exclusions and maintenance, so that between two of them only the
  // status changes.
  const rows = await db.$queryRaw<{ num: number; times: [part: number, state: State, ms: number][] }[]>`
    with ranges as (
      select * from unnest(
        ${ranges.map(({ num }) => num)}::int[], ${ranges.map(({ from }) => toDate(from))}::timestamptz[],
        ${ranges.map(({ to }) => toDate(to))}::timestamptz[]) r (num, from_at, to_at)
    ), points as (
      select num, array_agg(at order by at) as points, tstzrange(min(at), max(at)) as whole
      from unnest(${allPoints.map(({ num }) => num)}::int[], ${allPoints.map(({ at }) => at)}::timestamptz[]) p (num, at)
      group by num
    ), covers as materialized (
      select num, points, whole, (
        select range_agg(tstzrange(e.starts_at, e.ends_at) * whole) from uptime_exclusions e join monitors m on m.id = e.monitor_id
        where m.num = p.num and e.starts_at < upper(whole) and e.ends_at > lower(whole)
      ) as excluded, (
        select range_agg(tstzrange(c.starts_at, c.ends_at) * whole) from maintenance_periods c
        where c.monitor_num = p.num and c.starts_at < upper(whole) and c.ends_at > lower(whole)
      ) as maintained
      from points p
    ), bounds as (
      select num, points, excluded, maintained, (
        select array_agg(at order by at) from (
          select unnest(points) as at union
          select unnest(array[lower(r), upper(r)]) from unnest(array[excluded, maintained]) c, unnest(c) r
        ) b
      ) as bounds
      from covers
    ), segments as materialized (
      select num, bounds, (
        select array_agg(width_bucket(at, points) order by at) from unnest(bounds) at
      ) as parts, (
        select array_agg(case when excluded @> at then 2 when maintained @> at then 1 else 0 end order by at) from unnest(bounds) at
      ) as covered
      from bounds
    ), watched as (
      select * from unnest(
        ${watched.map(({ num }) => num)}::int[], ${watched.map((each) => each.watchedUntil)}::timestamptz[]
      ) w (num, until)
    ), open as (
      select w.num, greatest(s.started_at, w.until) as until from watched w cross join lateral (
        select * from status_spans s where s.monitor_num = w.num order by s.started_at desc limit 1
      ) s
      where s.ended_at is null and s.status in ('up', 'degraded', 'down')
    ), monitors as materialized (
      select s.*, r.from_at, r.to_at, o.until
      from segments s join ranges r on r.num = s.num left join open o on o.num = s.num
    )
    select num, json_agg(json_build_array(part, state, ms) order by part, state) as times from (
      select m.num, m.parts[t.segment] as part, round(sum(t.seconds) * 1000) as ms, case m.covered[t.segment]
        when 2 then 'excluded' when 1 then case when status = 'paused' then 'paused' else 'maintenance' end else status::text
      end as state
      from monitors m cross join lateral (
        select s.status, at.segment, sum(date_part('epoch',
          least(s.to_at, m.bounds[at.segment + 1]) - greatest(s.from_at, m.bounds[at.segment]))) as seconds
        from (
          select s.status, greatest(s.started_at, m.from_at) as from_at, least(coalesce(s.ended_at, m.until), m.to_at) as to_at
          from status_spans s where s.monitor_num = m.num and s.started_at < m.to_at and s.started_at >= coalesce((
            select max(b.started_at) from status_spans b where b.monitor_num = m.num and b.started_at <= m.from_at
          ), '-infinity')
          union all
          select 'unknown', greatest(m.until, m.from_at), m.to_at where m.until < m.to_at
        ) s cross join lateral generate_series(
          width_bucket(s.from_at, m.bounds), width_bucket(s.to_at - interval '1 ms', m.bounds)
        ) at (segment)
        where s.from_at < s.to_at
        group by 1, 2
      ) t
      group by m.num, part, state
    ) t group by num`;
  return new Map(rows.map(({ num, times }) => [num, toPieces(points.get(num) ?? [], times)]));
}
