import { passiveTypes } from '@/server/monitor-types/definitions';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { nextDueSql, phaseSql } from '@/server/time/phase-sql';
import { type StateRow, type StoredState, toWatchState } from './state-row';

/** A lease to record the next check of a monitor in a region until `leaseUntil`, with the state at the time of the claim. */
export interface Claim {
  monitorId: string;
  /** '' is the monitor's own row. */
  region: string;
  version: number;
  revision: number;
  dueAt: Date;
  leaseUntil: Date;
  state: StoredState;
}

/** The time that a claim lasts beyond its due time or last renewal. Afterwards, other workers take over the monitors of a worker that died. */
export const LEASE_MS = 5_000;

/** A check is spread only if it is overdue by more than this. After a shorter delay a worker may have died, and others take over its checks. */
const SPREAD_AFTER_MS = LEASE_MS + 2_000;

/** Which checks a process may claim: a worker's region, or a private region of one team for an agent. */
export type Duty = string | { teamId: string; region: string };

/** Returns the key of a claim. A worker may hold two claims of one monitor: for the check in its region, and for the check for silent regions. */
export const claimKey = (monitorId: string, region: string) => `${monitorId} ${region}`;

/** A claim in the JSON that the database returns: times in Unix milliseconds, those in arrays in ISO 8601. */
type ClaimJson = Omit<StateRow, TimeColumn | ArrayColumn> &
  Record<TimeColumn, number | null> &
  Record<ArrayColumn, string[]> & { region: string; due_at: number; leased: number };
type ArrayColumn = 'changes' | 'maintenance' | 'check_pauses';
type TimeColumn = (typeof timeColumns)[number];
const timeColumns = [
  'status_since',
  'turned_at',
  'latency_turned_at',
  'steady_since',
  'last_checked_at',
  'noise_until',
  'expected_since',
  'run_started_at',
  'planned_until',
] as const;

const msOf = (column: string) => Prisma.raw(`(extract(epoch from ${column}) * 1000)::int8`);
const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
const toDates = (texts: string[]) => texts.map((text) => new Date(text));

function toClaim(row: ClaimJson): Claim {
  const state: StateRow = {
    ...row,
    status_since: new Date(row.status_since ?? 0),
    turned_at: toDate(row.turned_at),
    latency_turned_at: toDate(row.latency_turned_at),
    steady_since: toDate(row.steady_since),
    changes: toDates(row.changes),
    maintenance: toDates(row.maintenance),
    check_pauses: toDates(row.check_pauses),
    last_checked_at: toDate(row.last_checked_at),
    noise_until: toDate(row.noise_until),
    expected_since: toDate(row.expected_since),
    run_started_at: toDate(row.run_started_at),
    planned_until: toDate(row.planned_until),
  };
  return {
    monitorId: row.monitor_id,
    region: row.region,
    version: row.version,
    revision: row.revision,
    dueAt: new Date(row.due_at),
    leaseUntil: new Date(row.leased),
    state: toWatchState(state),
  };
}

/** The result of a poll of the schedule. */
export interface Due {
  claims: Claim[];
  /** When the next check after `aheadMs` is due; null if there is none. */
  nextDueAt: Date | null;
  /** Whether checks are due that were not claimed because their maintenance is not planned that far. */
  isUnplanned: boolean;
  /** The database's time. */
  now: Date;
}

/**
 * Returns the conditions for rows that a process may claim. A worker claims own rows of monitors, and rows of its region; an agent claims rows of its
 * team's region alone. They are separate, because each has a partial index.
 */
const duties = (duty: Duty) =>
  typeof duty === 'string'
    ? [Prisma.sql`region = ''`, Prisma.sql`region <> '' and region = ${duty}`]
    : [Prisma.sql`region like 'private/%' and region = ${duty.region} and team_id = ${duty.teamId}`];

/**
 * Claims the checks of a duty that are due within `aheadMs`, the longest due first. Skips claimed checks,
 * and monitors whose maintenance is not planned until then. Safe for concurrent workers: each check goes to one of them. The database returns the
 * claims as one JSON text, which costs a tenth of as many columns. Commits asynchronously: after a crash of it, the checks are claimed again.
 * @param without teams whose checks are not claimed
 * @param leaseMs how long a claim lasts beyond its due time
 */
export async function claimDue(
  worker: string,
  duty: Duty,
  aheadMs: number,
  limit: number,
  without: string[] = [],
  leaseMs = LEASE_MS,
): Promise<Due> {
  const others = without.length > 0 ? Prisma.sql`and team_id <> all(${without}::text[])` : Prisma.empty;
  const ahead = Prisma.sql`now() + ${aheadMs}::int * interval '1 ms'`;
  const due = duties(duty).map(
    (rows) => Prisma.sql`select * from (
      select monitor_id, region, due_at from monitor_states
      where ${rows} and due_at <= ${ahead} and (claimed_until is null or claimed_until < now())
        and (planned_until is null or planned_until > ${ahead}) ${others}
      order by due_at limit ${limit}::int
      for update skip locked
    ) as duty`,
  );
  const next = duties(duty).map(
    (rows) => Prisma.sql`(
      select due_at from monitor_states where ${rows} and due_at > ${ahead} order by due_at limit 1
    )`,
  );
  const unplanned = duties(duty).map(
    (rows) => Prisma.sql`exists (
      select 1 from monitor_states where ${rows} and planned_until <= ${ahead} and due_at <= ${ahead}
    )`,
  );
  type Row = { claims: string | null; next: Date | null; isUnplanned: boolean; now: Date };
  const [row] = await db.$queryRaw<Row[]>`
    with picked as materialized (
      select * from (${Prisma.join(due, ' union all ')}) as due order by due_at limit ${limit}::int
    ), claimed as (
      update monitor_states s
      set claimed_by = ${worker}, claimed_until = greatest(s.due_at, now()) + ${leaseMs}::int * interval '1 ms'
      from picked join monitors m on m.id = picked.monitor_id
      where s.monitor_id = picked.monitor_id and s.region = picked.region
      returning s.monitor_id, s.region, m.version, s.revision, ${msOf('s.due_at')} as due_at,
        ${msOf('s.claimed_until')} as leased, s.status, ${msOf('s.status_since')} as status_since, s.failures,
        s.recoveries, ${msOf('s.turned_at')} as turned_at, s.latency_streak,
        ${msOf('s.latency_turned_at')} as latency_turned_at, s.open_incident, s.changes,
        ${msOf('s.steady_since')} as steady_since,
        ${msOf('s.last_checked_at')} as last_checked_at, ${msOf('s.noise_until')} as noise_until,
        ${msOf('s.expected_since')} as expected_since,
        ${msOf('s.run_started_at')} as run_started_at, s.certificate, s.certificate_warned,
        s.maintenance, s.check_pauses, ${msOf('s.planned_until')} as planned_until, s.held
    )
    select (select json_agg(claimed)::text from claimed) as claims, clock_timestamp() as now,
      least(${Prisma.join(next)}) as next, ${Prisma.join(unplanned, ' or ')} as "isUnplanned", set_config('synchronous_commit', 'off', true)`;
  const claims = JSON.parse(row?.claims ?? '[]') as ClaimJson[];
  const { next: nextDueAt = null, isUnplanned = false, now = new Date() } = row ?? {};
  return { claims: claims.map(toClaim), nextDueAt, isUnplanned, now };
}

/**
 * Renews the claims of checks that take long. Skips states that another transaction has locked, because nobody else can claim them meanwhile.
 * @param lease `isStrict`: claims that have expired are lost, even if nobody has taken them
 * @returns the ends of the claims that this worker still holds, by `claimKey`
 */
export async function renewClaims(
  worker: string,
  monitorIds: string[],
  { leaseMs = LEASE_MS, isStrict = false } = {},
): Promise<Map<string, Date>> {
  const isHeld = Prisma.sql`claimed_by = ${worker} and (not ${isStrict} or claimed_until >= now())`;
  // Locks the rows in the same order as results, to avoid deadlocks.
  const rows = await db.$queryRaw<{ monitor_id: string; region: string; claimed_until: Date }[]>`
    with own as materialized (
      select monitor_id, region, claimed_until from monitor_states
      where monitor_id = any(${monitorIds}::text[]) and ${isHeld}
    ), held as materialized (
      select monitor_id, region from monitor_states
      where monitor_id = any(${monitorIds}::text[]) and ${isHeld}
      order by monitor_id, region for update skip locked
    ), renewed as (
      -- Sets the same value, so that the trigger also rejects renewals by processes of an older version (prisma/fence.ts).
      update monitor_states s set claimed_by = s.claimed_by, claimed_until = now() + ${leaseMs}::int * interval '1 ms'
      from held where s.monitor_id = held.monitor_id and s.region = held.region
      returning s.monitor_id, s.region, s.claimed_until
    )
    select own.monitor_id, own.region, coalesce(renewed.claimed_until, own.claimed_until) as claimed_until
    from own left join renewed on renewed.monitor_id = own.monitor_id and renewed.region = own.region`;
  return new Map(rows.map((row) => [claimKey(row.monitor_id, row.region), row.claimed_until]));
}

/** Returns whether a check is still due at `dueAt`. It is not if the monitor was checked, rescheduled, paused or deleted since. */
export async function isDueAt(
  { monitorId, region }: Pick<Claim, 'monitorId' | 'region'>,
  dueAt: Date,
): Promise<boolean> {
  return (await db.monitorState.count({ where: { monitorId, region, dueAt } })) > 0;
}

/**
 * Moves the due time of a check from `dueAt` to now. Changes nothing if the check is already due, claimed, or was rescheduled meanwhile.
 * @returns whether the due time was changed
 */
export async function dueNow(
  { monitorId, region }: Pick<Claim, 'monitorId' | 'region'>,
  dueAt: Date,
): Promise<boolean> {
  // Raw: compares with the database's clock.
  const changed = await db.$executeRaw`
    update monitor_states set due_at = now()
    where monitor_id = ${monitorId} and region = ${region} and due_at = ${dueAt} and due_at > now()
      and (claimed_until is null or claimed_until < now())`;
  return changed > 0;
}

/** Releases all claims of a worker, so that others can take them at once. If another transaction has locked a state, its claim expires instead. */
export async function releaseClaims(worker: string): Promise<void> {
  await db.$executeRaw`
    with held as materialized (
      select monitor_id, region from monitor_states where claimed_by = ${worker}
      order by monitor_id, region for update skip locked
    )
    update monitor_states s set claimed_by = null, claimed_until = null
    from held where s.monitor_id = held.monitor_id and s.region = held.region`;
}

/**
 * Spreads the overdue checks of a region ('': own rows) after a pause, so that they do not run all at once. Each check moves within half of its delay
 * from now, but within 30 s and the rest of its interval. If the next regular check (`nextDue`) falls within that time, the overdue one is skipped.
 * Leaves out new monitors and running confirmations, which go first, and heartbeats, which cost nothing and whose delay must be visible.
 * @returns the number of checks that were moved
 */
export async function spreadOverdue(region: string): Promise<number> {
  const place = Prisma.sql`(array_position(m.regions, ${region}) - 1)::float8 / cardinality(m.regions)`;
  const shift = region === '' ? Prisma.sql`0` : place;
  return db.$executeRaw`
    with overdue as materialized (
      select monitor_id, due_at from monitor_states
      where region = ${region} and due_at < now() - ${SPREAD_AFTER_MS}::int * interval '1 ms'
        and (claimed_until is null or claimed_until < now())
        and last_checked_at is not null and turned_at is null
        -- If other workers kept checking, there was no pause, and they are about to take these. Pings do not count, because they need no worker.
        and not exists (
          select 1 from monitor_states
          where region = ${region} and expected_since is null
            and last_checked_at > now() - ${SPREAD_AFTER_MS}::int * interval '1 ms'
        )
      order by monitor_id for update skip locked
    ), waits as (
      select m.id, phase, least(30000, late / 2, case when late < size then size - late end) as span_ms,
        ${nextDueSql(Prisma.sql`phase`, Prisma.sql`m.interval_seconds`, Prisma.sql`now()`)} as regular_at
      from overdue join monitors m on m.id = overdue.monitor_id and m.type <> all(${passiveTypes}::monitor_type[]),
        lateral (select ${phaseSql(Prisma.sql`m.num`, shift)} as phase, m.interval_seconds * 1000::float8 as size,
          extract(epoch from now() - overdue.due_at)::float8 * 1000 as late) as own
    ), moments as (
      select id, case when regular_at <= now() + span_ms * interval '1 ms' then regular_at
          else now() + phase * span_ms * interval '1 ms' end as at
        from waits
    )
    update monitor_states s set due_at = moments.at
    from moments where s.monitor_id = moments.id and s.region = ${region}`;
}

/** Times further in the future than this were written before the clock was set back; differences between machines are smaller. */
const AHEAD_SECONDS = 10;
/**
 * An unchecked monitor that is due later than this was scheduled before the clock was set back: a new one is due now or, with regions, in a minute.
 */
const NEW_WITHIN_SECONDS = 120;

/**
 * Moves the schedule back after the database's clock was set back. Otherwise nothing would be due until the former time, and results would count as
 * older than the last one and change no status. The times of each monitor move by as much as its last check is in the future. Safe for concurrent
 * workers.
 * @returns the number of states that were moved: one per monitor, and one for each of its regions
 */
export async function bringBack(): Promise<number> {
  const checked = await db.$executeRaw`
    with ahead as materialized (
      select monitor_id, region, greatest(last_checked_at, run_started_at) - now() as by from monitor_states
      where greatest(last_checked_at, run_started_at) > now() + ${AHEAD_SECONDS}::int * interval '1 s'
      order by monitor_id, region for update
    )
    update monitor_states s set due_at = s.due_at - by, claimed_by = null, claimed_until = null,
      status_since = least(s.status_since, now()), last_checked_at = s.last_checked_at - by,
      turned_at = s.turned_at - by, latency_turned_at = s.latency_turned_at - by, steady_since = s.steady_since - by,
      expected_since = s.expected_since - by, run_started_at = s.run_started_at - by, revision = s.revision + 1
    from ahead where s.monitor_id = ahead.monitor_id and s.region = ahead.region`;
  const unchecked = await db.$executeRaw`
    with ahead as materialized (
      select monitor_id, region from monitor_states
      where last_checked_at is null and due_at > now() + ${NEW_WITHIN_SECONDS}::int * interval '1 s'
      order by monitor_id, region for update
    )
    update monitor_states s set due_at = now()
    from ahead where s.monitor_id = ahead.monitor_id and s.region = ahead.region`;
  return checked + unchecked;
}

/** Returns when the checks of these monitors are due that a process still holds a claim of in a region, and that has not expired. */
export async function heldClaims(worker: string, region: string, monitorIds: string[]): Promise<Map<string, Date>> {
  // Raw: the database's clock.
  const rows = await db.$queryRaw<{ id: string; dueMs: number }[]>`
    select monitor_id as id, ${msOf('due_at')}::float8 as "dueMs" from monitor_states
    where monitor_id = any(${monitorIds}::text[]) and region = ${region} and claimed_by = ${worker} and claimed_until >= now()`;
  return new Map(rows.map(({ id, dueMs }) => [id, new Date(dueMs)]));
}
