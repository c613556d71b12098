import type { Db, Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { AFTER_END_MS, type Period, RESUME_WITHIN_SECONDS } from '@/server/time/edges';
import { nextDueSql, phaseSql } from '@/server/time/phase-sql';
import { DAY_MS } from '@/server/time/schema';
import type { MaintenanceChecks } from './schema';

/** How far ahead the occurrences of a window are planned. */
export const PLANNED_MS = 8 * DAY_MS;

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

/** Returns the condition that matches the monitors in a window's scope, whether or not the window is active. The caller adds the team. */
export function covers({ id, allMonitors, tags }: Scope): Prisma.MonitorWhereInput {
  const named = { maintenanceWindows: { some: { maintenanceWindowId: id } } };
  return allMonitors ? {} : { OR: [named, { tags: { hasSome: tags } }] };
}

/** Returns the monitors that match a window's scope at present, whether or not the window is active. */
export function readScope(tx: Db, window: Scope): Promise<Covered[]> {
  return tx.monitor.findMany({
    where: { teamId: window.teamId, ...covers(window) },
    select: { id: true, num: true },
  });
}

/** Returns the monitors with current or future planned periods of a window. */
export function readPlanned(tx: Tx, windowId: string, now: Date): Promise<Covered[]> {
  return tx.monitor.findMany({
    where: { maintenancePeriods: { some: { windowId, endsAt: { gt: now } } } },
    select: { id: true, num: true },
  });
}

/** Ends the current periods of windows for these monitors at a given time, and deletes the periods that start later. Past periods stay. */
export async function endPeriods(tx: Tx, windowIds: string[], nums: number[], at: Date): Promise<void> {
  const of = { windowId: { in: windowIds }, monitorNum: { in: nums } };
  await tx.maintenancePeriod.deleteMany({ where: { ...of, startsAt: { gte: at } } });
  await tx.maintenancePeriod.updateMany({ where: { ...of, endsAt: { gt: at } }, data: { endsAt: at } });
}

/** Deletes the periods of a window for these monitors that lie in a time range, including past ones. */
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
 * Sets the new end of the current periods, which `endPeriods` has just ended at `now`, unless the window's `checks` changed.
 * @returns the numbers of the monitors whose periods continue
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

/** A period in which a window puts monitors into maintenance. */
export interface PlannedPeriod extends Period {
  windowId: string;
  checks: MaintenanceChecks;
}

/**
 * Adds each period for each monitor that still exists. If a monitor already has a period of the window with the same start, extends that one. The
 * periods of one window must have different starts.
 */
export async function addPeriods(tx: Tx, nums: number[], periods: PlannedPeriod[]): Promise<void> {
  if (periods.length === 0 || nums.length === 0) return;
  // Raw: combines each period with each monitor in the database.
  await tx.$executeRaw`
    with present as materialized (
      select num from monitors where num = any(${nums}::int[]) order by id for key share
    )
    insert into maintenance_periods (monitor_num, window_id, starts_at, ends_at, checks)
    select m.num, p."windowId", p."startsAt", p."endsAt", p.checks::maintenance_checks
    from present m, jsonb_to_recordset(${JSON.stringify(periods)}::jsonb)
      as p ("windowId" text, "startsAt" timestamptz, "endsAt" timestamptz, checks text)
    on conflict (monitor_num, window_id, starts_at) do update
      set ends_at = greatest(maintenance_periods.ends_at, excluded.ends_at), checks = excluded.checks`;
}

/** How long a period stays in the state after its end, because a check that began in it may be recorded late. */
const KEPT_MINUTES = 60;
/** The maximum number of past and of current or future periods in a state. Overlapping and adjacent ones are merged. */
const MOST_PASSED = 2;
const MOST_AHEAD = 6;
/** A team with more windows has its states written for a shorter time ahead, because each takes periods to read. */
const USUAL_WINDOWS = 10;

/**
 * Writes the edges (starts and ends) of the next planned periods into the states of monitors, with the time until which they are complete: the start
 * of the first period that does not fit, the end of the plan of one of the team's windows, or earlier for a team with many windows. Raises the
 * revision of changed states, so that results that were decided on the former edges are decided again.
 * - A monitor that is no longer in maintenance becomes due now.
 * - A check that the former plan moved after a check pause gets its former due time.
 * - Held changes become due when the current window ends.
 * The caller has locked the states.
 * @returns the monitors whose states changed
 */
export async function refreshStates(tx: Tx, teamId: string, ids: string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  // Raw: unions of ranges, and one statement for any number of monitors.
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with horizon as materialized (
      select case when count(*) > ${USUAL_WINDOWS}::int
        then ${now}::timestamptz + ${PLANNED_MS}::float8 * ${USUAL_WINDOWS}::int / count(*) * interval '1 ms' end as until
      from maintenance_windows where team_id = ${teamId} and (recurrence is not null or ends_at > ${now}::timestamptz)
    ), planned as materialized (
      select m.id, p.starts_at, p.ends_at, p.checks = 'pause' as pauses
      from monitors m join maintenance_periods p on p.monitor_num = m.num
      where m.id = any(${ids}::text[]) and p.ends_at > ${now}::timestamptz - ${KEPT_MINUTES}::int * interval '1 min'
        and p.ends_at > p.starts_at and p.starts_at < coalesce((select until from horizon), 'infinity')
    ), unions as (
      select id, false as pauses, unnest(range_agg(tstzrange(starts_at, ends_at))) as r from planned group by id
      union all
      select id, true, unnest(range_agg(tstzrange(starts_at, ends_at))) from planned where pauses group by id
    ), ranked as (
      select *, row_number() over same as nth, count(*) over (partition by id, pauses, upper(r) > ${now}::timestamptz) as among
      from unions window same as (partition by id, pauses, upper(r) > ${now}::timestamptz order by lower(r))
    ), ranges as (
      select id, pauses, r from ranked
      where case when upper(r) > ${now}::timestamptz then nth <= ${MOST_AHEAD}::int else among - nth < ${MOST_PASSED}::int end
    ), omitted as (
      select id, min(lower(r)) as starts_at from ranked where upper(r) > ${now}::timestamptz and nth > ${MOST_AHEAD}::int group by id
    ), plans as (
      select team_id, min(greatest(planned_until, plan_retry_at)) as until from maintenance_windows
      where recurrence is not null and team_id = ${teamId} group by team_id
    ), edges as (
      select id, pauses, array_agg(edge order by edge) as edges
      from ranges, unnest(array[lower(r), upper(r)]) edge group by id, pauses
    ), next as (
      select s.monitor_id, s.region, coalesce(e.edges, '{}') as maintenance, coalesce(p.edges, '{}') as check_pauses,
        least(o.starts_at, plans.until, (select until from horizon)) as planned_until,
        case when s.due_at is null then null
          when (width_bucket(${now}::timestamptz, s.maintenance) % 2 = 1
              and width_bucket(${now}::timestamptz, coalesce(e.edges, '{}')) % 2 = 0)
            or (width_bucket(${now}::timestamptz, s.check_pauses) % 2 = 1
              and width_bucket(${now}::timestamptz, coalesce(p.edges, '{}')) % 2 = 0)
          then least(s.due_at, ${now}::timestamptz)
          -- Due shortly after the end of a period without checks, so the check was moved there from within the period.
          when before_due.ends_at > ${now}::timestamptz
            and s.due_at <= before_due.ends_at + ${RESUME_WITHIN_SECONDS}::int * interval '1 s'
          then greatest(before_due.starts_at, ${now}::timestamptz) else s.due_at end as due_at,
        coalesce(nullif(s.held->'open', 'null'), nullif(s.held->'resolve', 'null')) is not null as holds,
        ${phaseSql(Prisma.sql`m.num`)} as phase, least(m.interval_seconds, ${RESUME_WITHIN_SECONDS}::int) as resume_seconds
      from monitor_states s join monitors m on m.id = s.monitor_id
        left join edges e on e.id = m.id and not e.pauses left join edges p on p.id = m.id and p.pauses
        left join omitted o on o.id = m.id left join plans on plans.team_id = m.team_id
        cross join lateral (
          select s.check_pauses[passed - 1] as starts_at, s.check_pauses[passed] as ends_at
          from (select width_bucket(s.due_at, s.check_pauses) / 2 * 2 as passed) as count
        ) before_due
      where s.monitor_id = any(${ids}::text[])
    ), timed as (
      select *, case when width_bucket(due_at, check_pauses) % 2 = 1
          then ${nextDueSql(Prisma.sql`phase`, Prisma.sql`resume_seconds`, Prisma.sql`check_pauses[width_bucket(due_at, check_pauses) + 1]`)}
          else due_at end as resumes_at,
        case when holds and width_bucket(${now}::timestamptz, maintenance) % 2 = 1
          then maintenance[width_bucket(${now}::timestamptz, maintenance) + 1] + ${AFTER_END_MS}::int * interval '1 ms' end as held_until
      from next
    ), changed as (
      select t.*, d.due_at as next_due_at,
        (s.maintenance, s.check_pauses, s.due_at) is distinct from (t.maintenance, t.check_pauses, d.due_at) as is_other
      from timed t join monitor_states s on s.monitor_id = t.monitor_id and s.region = t.region
        cross join lateral (select case when t.resumes_at is not null then least(t.resumes_at, t.held_until) end as due_at) d
    )
    update monitor_states s set maintenance = t.maintenance, check_pauses = t.check_pauses, planned_until = t.planned_until,
      due_at = t.next_due_at, revision = s.revision + case when t.is_other then 1 else 0 end
    from changed t where s.monitor_id = t.monitor_id and s.region = t.region
      and (t.is_other or s.planned_until is distinct from t.planned_until)
    returning s.monitor_id as id`;
  return [...new Set(changed.map(({ id }) => id))];
}

/**
 * Returns the teams with states whose edges are not complete until a given time. Teams with the fewest such states come first, so that a team with
 * many does not delay them.
 */
export async function teamsToPlan(db: Db, until: Date): Promise<string[]> {
  // Raw: counts states by the index of incomplete edges.
  const rows = await db.$queryRaw<{ team_id: string }[]>`
    select team_id from monitor_states where planned_until < ${until}::timestamptz group by team_id order by count(*), team_id`;
  return rows.map(({ team_id }) => team_id);
}

/** The maximum number of states per statement. */
const MOST_FORGOTTEN = 500;

/** Removes periods that ended more than an hour ago from all states, in batches. Locks states in the order of their keys, and skips locked ones. */
export async function forgetPassed(db: Db, now: Date): Promise<void> {
  while ((await forgetSome(db, now)) === MOST_FORGOTTEN);
}

function forgetSome(db: Db, now: Date): Promise<number> {
  // Raw: compares the first end in an array.
  return db.$executeRaw`
    with passed as materialized (
      select monitor_id, region from monitor_states
      where maintenance <> '{}' and maintenance[2] < ${now}::timestamptz - ${KEPT_MINUTES}::int * interval '1 min'
      order by monitor_id, region limit ${MOST_FORGOTTEN}::int for update skip locked
    )
    update monitor_states s set
      maintenance = coalesce((select array_agg(e order by e) from unnest(s.maintenance[3:]) e), '{}'),
      check_pauses = case when check_pauses[2] < ${now}::timestamptz - ${KEPT_MINUTES}::int * interval '1 min'
        then coalesce((select array_agg(e order by e) from unnest(s.check_pauses[3:]) e), '{}') else check_pauses end
    from passed where s.monitor_id = passed.monitor_id and s.region = passed.region`;
}
