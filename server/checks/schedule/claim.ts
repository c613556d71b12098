import type { MonitorStatus } from '@/server/monitors/schema';
import { passiveTypes } from '@/server/monitors/types/definitions';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { CertificateState, KeptCertificate } from '../verdict/certificate';
import type { BeatState } from '../verdict/heartbeat';
import type { StatusIncident, WatchState } from '../verdict/transition';
import { GOLDEN } from './due';

/** All of a monitor's row that verdicts depend on. */
export type StoredState = WatchState & BeatState & CertificateState;

/** The right to record a monitor's next result, until `leaseUntil`, and the state it was in when it was given. */
export interface Claim {
  monitorId: string;
  version: number;
  revision: number;
  dueAt: Date;
  leaseUntil: Date;
  state: StoredState;
}

/** How long a claim outlives its due time or its last renewal: a killed worker's monitors are taken over after this. */
export const LEASE_MS = 5_000;

/** What is overdue by less is no pause, only a worker that was killed: the others take its monitors over in this time. */
export const SPREAD_AFTER_MS = LEASE_MS + 2_000;

/** A monitor's state as it is read by hand-written statements. */
export interface StateRow {
  monitor_id: string;
  version: number;
  revision: number;
  status: MonitorStatus;
  status_since: Date;
  failures: number;
  recoveries: number;
  turned_at: Date | null;
  latency_streak: number;
  latency_turned_at: Date | null;
  open_incident: StatusIncident | null;
  changes: Date[];
  steady_since: Date | null;
  last_checked_at: Date | null;
  expected_since: Date | null;
  run_started_at: Date | null;
  certificate: KeptCertificate | null;
  certificate_warned: boolean;
}

export function toWatchState(row: StateRow): StoredState {
  return {
    status: row.status,
    statusSince: row.status_since,
    failures: row.failures,
    recoveries: row.recoveries,
    turnedAt: row.turned_at,
    latencyStreak: row.latency_streak,
    latencyTurnedAt: row.latency_turned_at,
    openIncident: row.open_incident,
    changes: row.changes,
    steadySince: row.steady_since,
    lastCheckedAt: row.last_checked_at,
    expectedSince: row.expected_since,
    runStartedAt: row.run_started_at,
    certificate: row.certificate,
    certificateWarned: row.certificate_warned,
  };
}

/** A claim as the database tells it in JSON: times in milliseconds of the epoch, those of an array in ISO 8601. */
type ClaimJson = Omit<StateRow, TimeColumn | 'changes'> &
  Record<TimeColumn, number | null> & { changes: string[]; due_at: number; leased: number };
type TimeColumn = (typeof timeColumns)[number];
const timeColumns = [
  'status_since',
  'turned_at',
  'latency_turned_at',
  'steady_since',
  'last_checked_at',
  'expected_since',
  'run_started_at',
] as const;

const msOf = (column: string) => Prisma.raw(`(extract(epoch from ${column}) * 1000)::int8`);
const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));

function toClaim(row: ClaimJson): Claim {
  const state: StateRow = {
    ...row,
    status_since: new Date(row.status_since ?? 0),
    turned_at: toDate(row.turned_at),
    latency_turned_at: toDate(row.latency_turned_at),
    steady_since: toDate(row.steady_since),
    changes: row.changes.map((change) => new Date(change)),
    last_checked_at: toDate(row.last_checked_at),
    expected_since: toDate(row.expected_since),
    run_started_at: toDate(row.run_started_at),
  };
  return {
    monitorId: row.monitor_id,
    version: row.version,
    revision: row.revision,
    dueAt: new Date(row.due_at),
    leaseUntil: new Date(row.leased),
    state: toWatchState(state),
  };
}

/** What a look at the schedule brings. */
export interface Due {
  claims: Claim[];
  /** When the first monitor is due that was not within `aheadMs`; null where there is none. */
  nextDueAt: Date | null;
  /** When the first check is due that is only for workers of this region, and nobody's yet; null where there is none. */
  regionDueAt: Date | null;
  /** The database's time. */
  now: Date;
}

/**
 * Claims monitors that are due within `aheadMs`, the longest due first, and nobody else's. Any number of workers may do
 * so at once: each row goes to one of them. The claims come as one text, which costs a tenth of so many columns.
 * Nobody waits for the disk: a claim that a crash of the database loses is made again.
 */
export async function claimDue(worker: string, region: string, aheadMs: number, limit: number): Promise<Due> {
  const [row] = await db.$queryRaw<{ claims: string | null; next: Date | null; regional: Date | null; now: Date }[]>`
    with picked as materialized (
      select monitor_id from monitor_states
      where due_at <= now() + ${aheadMs}::int * interval '1 ms' and (claimed_until is null or claimed_until < now())
      order by due_at limit ${limit}::int
      for update skip locked
    ), claimed as (
      update monitor_states s
      set claimed_by = ${worker}, claimed_until = greatest(s.due_at, now()) + ${LEASE_MS}::int * interval '1 ms'
      from picked join monitors m on m.id = picked.monitor_id
      where s.monitor_id = picked.monitor_id
      returning s.monitor_id, m.version, s.revision, ${msOf('s.due_at')} as due_at,
        ${msOf('s.claimed_until')} as leased, s.status, ${msOf('s.status_since')} as status_since, s.failures,
        s.recoveries, ${msOf('s.turned_at')} as turned_at, s.latency_streak,
        ${msOf('s.latency_turned_at')} as latency_turned_at, s.open_incident, s.changes,
        ${msOf('s.steady_since')} as steady_since,
        ${msOf('s.last_checked_at')} as last_checked_at, ${msOf('s.expected_since')} as expected_since,
        ${msOf('s.run_started_at')} as run_started_at, s.certificate, s.certificate_warned
    )
    select (select json_agg(claimed)::text from claimed) as claims, clock_timestamp() as now, (
      select due_at from monitor_states where due_at > now() + ${aheadMs}::int * interval '1 ms' order by due_at limit 1
    ) as next, (
      select due_at from monitor_regions
      where region = ${region} and due_at is not null and (claimed_until is null or claimed_until < now())
      order by due_at limit 1
    ) as regional, set_config('synchronous_commit', 'off', true)`;
  const claims = JSON.parse(row?.claims ?? '[]') as ClaimJson[];
  const { next: nextDueAt = null, regional: regionDueAt = null, now = new Date() } = row ?? {};
  return { claims: claims.map(toClaim), nextDueAt, regionDueAt, now };
}

/** Holds on to claims whose checks take their time. @returns the new end of those that are still this worker's */
export async function renewClaims(worker: string, monitorIds: string[]): Promise<Map<string, Date>> {
  // Locked in the order in which results lock theirs: one order, no deadlock.
  const rows = await db.$queryRaw<{ monitor_id: string; claimed_until: Date }[]>`
    with held as materialized (
      select monitor_id from monitor_states where monitor_id = any(${monitorIds}::text[]) and claimed_by = ${worker}
      order by monitor_id for update
    )
    update monitor_states s set claimed_until = now() + ${LEASE_MS}::int * interval '1 ms'
    from held where s.monitor_id = held.monitor_id
    returning s.monitor_id, s.claimed_until`;
  return new Map(rows.map((row) => [row.monitor_id, row.claimed_until]));
}

/** Gives back whatever a worker holds, for the others to take at once. */
export async function releaseClaims(worker: string): Promise<void> {
  await db.$executeRaw`
    with held as materialized (
      select monitor_id from monitor_states where claimed_by = ${worker} order by monitor_id for update
    )
    update monitor_states s set claimed_by = null, claimed_until = null
    from held where s.monitor_id = held.monitor_id`;
}

/** When each of what `overdue` lists (monitor_id, due_at) goes after a pause: what follows it in a `with`. */
export const OVERDUE_MOMENTS = Prisma.sql`
  waits as (
    select m.id, fraction, least(30000, late / 2, case when late < size then size - late end) as span_ms,
      size - (since - floor(since / size) * size) as regular_ms
    from overdue join monitors m on m.id = overdue.monitor_id and m.type <> all(${passiveTypes}::monitor_type[]),
      lateral (select m.interval_seconds * 1000::float8 as size,
        m.num * ${GOLDEN}::float8 - floor(m.num * ${GOLDEN}::float8) as fraction,
        extract(epoch from now() - overdue.due_at)::float8 * 1000 as late) as own,
      lateral (select extract(epoch from now())::float8 * 1000 - floor(fraction * size) as since) as past
  ), moments as (
    select id, now() + interval '1 ms' * case when regular_ms <= span_ms then regular_ms else fraction * span_ms end as at
    from waits
  )`;

/**
 * After a pause: spreads the monitors that are overdue over half the time by which they are (30 s, and what is left of
 * their interval, at most), instead of checking them all at once; one that is due again within that goes then, and is not made up for. Never checked ones and
 * running confirmations are left as they are: they go first, and so are heartbeats, which cost nothing and must be seen
 * to be late. The moments are those of `nextDue`.
 */
export async function spreadOverdue(): Promise<number> {
  return db.$executeRaw`
    with overdue as materialized (
      select monitor_id, due_at from monitor_states
      where due_at < now() - ${SPREAD_AFTER_MS}::int * interval '1 ms' and (claimed_until is null or claimed_until < now())
        and last_checked_at is not null and failures = 0 and recoveries = 0
        -- Where others went on checking there was no pause: they are about to take these. Pings come without any of them.
        and not exists (
          select 1 from monitor_states
          where last_checked_at > now() - ${SPREAD_AFTER_MS}::int * interval '1 ms' and expected_since is null
        )
      order by monitor_id for update
    ), ${OVERDUE_MOMENTS}
    update monitor_states s set due_at = moments.at from moments where s.monitor_id = moments.id`;
}
