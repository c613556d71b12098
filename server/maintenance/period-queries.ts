import type { Db, Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { AFTER_END_MS, type Period, RESUME_WITHIN_SECONDS } from '@/server/time/edges';
import { GOLDEN } from '@/server/time/golden';
import type { MaintenanceChecks } from './schema';

/** Which monitors a window covers. */
export interface Scope {
  id: string;
  teamId: string;
  allMonitors: boolean;
  tags: string[];
}

export interface Covered {
  id: string;
  num: number;
}

/** The condition for the monitors that a window covers now. */
export function covers({ id, allMonitors, tags }: Scope): Prisma.MonitorWhereInput {
  const named = { maintenanceWindows: { some: { maintenanceWindowId: id } } };
  return allMonitors ? {} : { OR: [named, { tags: { hasSome: tags } }] };
}

/** The monitors that a window covers now. */
export function readScope(tx: Db, window: Scope): Promise<Covered[]> {
  return tx.monitor.findMany({
    where: { teamId: window.teamId, ...covers(window) },
    select: { id: true, num: true },
  });
}

/** The monitors that are or will be in maintenance because of a window. */
export function readPlanned(tx: Tx, windowId: string, now: Date): Promise<Covered[]> {
  return tx.monitor.findMany({
    where: { maintenancePeriods: { some: { windowId, endsAt: { gt: now } } } },
    select: { id: true, num: true },
  });
}

/** Ends a window for these monitors at a moment, and takes back what it planned after it. What has passed stays. */
export async function endPeriods(tx: Tx, windowId: string, nums: number[], at: Date): Promise<void> {
  const of = { windowId, monitorNum: { in: nums } };
  await tx.maintenancePeriod.deleteMany({ where: { ...of, startsAt: { gte: at } } });
  await tx.maintenancePeriod.updateMany({ where: { ...of, endsAt: { gt: at } }, data: { endsAt: at } });
}

/** Removes what a window planned within a stretch of time for these monitors, also what has passed. */
export async function removeWithin(
  tx: Tx,
  windowId: string,
  nums: number[],
  { startsAt, endsAt }: Period,
): Promise<void> {
  await tx.maintenancePeriod.deleteMany({
    where: { windowId, monitorNum: { in: nums }, startsAt: { gte: startsAt }, endsAt: { lte: endsAt } },
  });
}

/**
 * Lets the occurrence that a change has just cut off go on until another end.
 * @returns the monitors that it goes on for
 */
export async function continuePeriods(
  tx: Tx,
  window: { id: string; checks: MaintenanceChecks },
  nums: number[],
  { startsAt, endsAt, now }: Period & { now: Date },
): Promise<Set<number>> {
  const of = { windowId: window.id, monitorNum: { in: nums }, endsAt: now, startsAt: { gte: startsAt } };
  const continued = await tx.maintenancePeriod.updateManyAndReturn({
    where: { ...of, checks: window.checks },
    data: { endsAt },
    select: { monitorNum: true },
  });
  return new Set(continued.map(({ monitorNum }) => monitorNum));
}

/**
 * Plans periods of a window, each with another start, for monitors that exist. A period that starts when one of the window did before, such as an
 * occurrence that was cut off or has passed, extends that one.
 */
export async function addPeriods(
  tx: Tx,
  window: { id: string; checks: MaintenanceChecks },
  nums: number[],
  periods: Period[],
): Promise<void> {
  if (periods.length === 0 || nums.length === 0) return;
  // Raw: each of the periods for each of the monitors, without sending them all.
  await tx.$executeRaw`
    insert into maintenance_periods (monitor_num, window_id, starts_at, ends_at, checks)
    select m.num, ${window.id}, p."startsAt", p."endsAt", ${window.checks}::maintenance_checks
    from monitors m, jsonb_to_recordset(${JSON.stringify(periods)}::jsonb) as p ("startsAt" timestamptz, "endsAt" timestamptz)
    where m.num = any(${nums}::int[])
    on conflict (monitor_num, window_id, starts_at) do update
      set ends_at = greatest(maintenance_periods.ends_at, excluded.ends_at), checks = excluded.checks`;
}

/** Until so long after its end a period stays with the state: a check that began in it may be recorded late. */
const KEPT_MINUTES = 60;

/**
 * Writes into the states of monitors when they are in maintenance, by their planned periods. Results decided on a state before are decided
 * again. What is no longer in maintenance is due now. A check that the former plan moved behind a period without checks gets its time back, and what
 * is held is due when the present window ends. The caller holds the states locked.
 *
 * @returns the monitors whose states changed
 */
export async function refreshStates(tx: Tx, ids: string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  // Raw: unions of ranges, and one statement for any number of monitors.
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with planned as materialized (
      select m.id, p.starts_at, p.ends_at, p.checks = 'pause' as pauses
      from monitors m join maintenance_periods p on p.monitor_num = m.num
      where m.id = any(${ids}::text[]) and p.ends_at > ${now}::timestamptz - ${KEPT_MINUTES}::int * interval '1 min'
        and p.ends_at > p.starts_at
    ), ranges as (
      select id, false as pauses, unnest(range_agg(tstzrange(starts_at, ends_at))) as r from planned group by id
      union all
      select id, true, unnest(range_agg(tstzrange(starts_at, ends_at))) from planned where pauses group by id
    ), edges as (
      select id, pauses, array_agg(edge order by edge) as edges
      from ranges, unnest(array[lower(r), upper(r)]) edge group by id, pauses
    ), next as (
      select s.monitor_id, s.region, coalesce(e.edges, '{}') as maintenance, coalesce(p.edges, '{}') as check_pauses,
        case when s.due_at is null then null
          when (width_bucket(${now}::timestamptz, s.maintenance) % 2 = 1
              and width_bucket(${now}::timestamptz, coalesce(e.edges, '{}')) % 2 = 0)
            or (width_bucket(${now}::timestamptz, s.check_pauses) % 2 = 1
              and width_bucket(${now}::timestamptz, coalesce(p.edges, '{}')) % 2 = 0)
          then least(s.due_at, ${now}::timestamptz)
          -- Shortly after the end of a period without checks: it was moved there from within.
          when before_due.ends_at > ${now}::timestamptz
            and s.due_at <= before_due.ends_at + ${RESUME_WITHIN_SECONDS}::int * interval '1 s'
          then greatest(before_due.starts_at, ${now}::timestamptz) else s.due_at end as due_at,
        coalesce(nullif(s.held->'open', 'null'), nullif(s.held->'resolve', 'null')) is not null as holds,
        m.num * ${GOLDEN}::float8 - floor(m.num * ${GOLDEN}::float8) as fraction
      from monitor_states s join monitors m on m.id = s.monitor_id
        left join edges e on e.id = m.id and not e.pauses left join edges p on p.id = m.id and p.pauses
        cross join lateral (
          select s.check_pauses[passed - 1] as starts_at, s.check_pauses[passed] as ends_at
          from (select width_bucket(s.due_at, s.check_pauses) / 2 * 2 as passed) as count
        ) before_due
      where s.monitor_id = any(${ids}::text[])
    ), timed as (
      select *, case when width_bucket(due_at, check_pauses) % 2 = 1
          then check_pauses[width_bucket(due_at, check_pauses) + 1] + fraction * ${RESUME_WITHIN_SECONDS}::int * interval '1 s'
          else due_at end as resumes_at,
        case when holds and width_bucket(${now}::timestamptz, maintenance) % 2 = 1
          then maintenance[width_bucket(${now}::timestamptz, maintenance) + 1] + ${AFTER_END_MS}::int * interval '1 ms' end as held_until
      from next
    )
    update monitor_states s set maintenance = t.maintenance, check_pauses = t.check_pauses,
      due_at = case when t.resumes_at is not null then least(t.resumes_at, t.held_until) end, revision = s.revision + 1
    from timed t where s.monitor_id = t.monitor_id and s.region = t.region
      and (s.maintenance, s.check_pauses, s.due_at) is distinct from
        (t.maintenance, t.check_pauses, case when t.resumes_at is not null then least(t.resumes_at, t.held_until) end)
    returning s.monitor_id as id`;
  return [...new Set(changed.map(({ id }) => id))];
}

/** Takes out of states what ended long ago. Locked in the order of their keys, as everywhere. */
export async function forgetPassed(db: Db, now: Date): Promise<void> {
  // Raw: a condition on the first end in an array.
  await db.$executeRaw`
    with passed as materialized (
      select monitor_id, region from monitor_states
      where maintenance <> '{}' and maintenance[2] < ${now}::timestamptz - ${KEPT_MINUTES}::int * interval '1 min'
      order by monitor_id, region for update skip locked
    )
    update monitor_states s set
      maintenance = coalesce((select array_agg(e order by e) from unnest(s.maintenance[3:]) e), '{}'),
      check_pauses = case when check_pauses[2] < ${now}::timestamptz - ${KEPT_MINUTES}::int * interval '1 min'
        then coalesce((select array_agg(e order by e) from unnest(s.check_pauses[3:]) e), '{}') else check_pauses end
    from passed where s.monitor_id = passed.monitor_id and s.region = passed.region`;
}
