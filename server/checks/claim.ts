import type { MonitorStatus } from '@/server/monitors/schema';
import { db } from '@/server/platform/db';
import type { CertificateState, KeptCertificate } from './certificate';
import type { BeatState } from './heartbeat';
import type { WatchState } from './transition';

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
  incident_open: boolean;
  last_checked_at: Date | null;
  expected_since: Date | null;
  run_started_at: Date | null;
  certificate: KeptCertificate | null;
  certificate_warned: boolean;
}

interface ClaimRow extends StateRow {
  due_at: Date;
  claimed_until: Date;
}

export function toWatchState(row: StateRow): StoredState {
  return {
    status: row.status,
    statusSince: row.status_since,
    failures: row.failures,
    recoveries: row.recoveries,
    turnedAt: row.turned_at,
    incidentOpen: row.incident_open,
    lastCheckedAt: row.last_checked_at,
    expectedSince: row.expected_since,
    runStartedAt: row.run_started_at,
    certificate: row.certificate,
    certificateWarned: row.certificate_warned,
  };
}

/**
 * Claims monitors that are due within `aheadMs`, the longest due first, and nobody else's. Any number of workers may do
 * so at once: each row goes to one of them.
 */
export async function claimDue(worker: string, aheadMs: number, limit: number): Promise<Claim[]> {
  const rows = await db.$queryRaw<ClaimRow[]>`
    with picked as materialized (
      select monitor_id from monitor_states
      where due_at <= now() + ${aheadMs}::int * interval '1 ms' and (claimed_until is null or claimed_until < now())
      order by due_at limit ${limit}::int
      for update skip locked
    )
    update monitor_states s
    set claimed_by = ${worker}, claimed_until = greatest(s.due_at, now()) + ${LEASE_MS}::int * interval '1 ms'
    from picked join monitors m on m.id = picked.monitor_id
    where s.monitor_id = picked.monitor_id
    returning s.monitor_id, m.version, s.revision, s.due_at, s.claimed_until, s.status, s.status_since, s.failures,
      s.recoveries, s.turned_at, s.incident_open, s.last_checked_at, s.expected_since, s.run_started_at,
      s.certificate, s.certificate_warned`;
  return rows.map((row) => ({
    monitorId: row.monitor_id,
    version: row.version,
    revision: row.revision,
    dueAt: row.due_at,
    leaseUntil: row.claimed_until,
    state: toWatchState(row),
  }));
}

/** When the first monitor is due that is not within `aheadMs` already, and the database's time. */
export async function readNextDue(aheadMs: number): Promise<{ dueAt: Date | null; now: Date }> {
  const [row] = await db.$queryRaw<{ due_at: Date | null; now: Date }[]>`
    select clock_timestamp() as now, (
      select due_at from monitor_states where due_at > now() + ${aheadMs}::int * interval '1 ms' order by due_at limit 1
    ) as due_at`;
  return { dueAt: row?.due_at ?? null, now: row?.now ?? new Date() };
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

/**
 * After a pause: spreads the monitors that are overdue over what is left of their interval (30 s at most), instead of
 * checking them all at once. Never checked ones and running confirmations are left as they are: they go first, and so
 * are heartbeats, which cost nothing and must be seen to be late.
 */
export async function spreadOverdue(): Promise<number> {
  return db.$executeRaw`
    with overdue as materialized (
      select monitor_id from monitor_states
      where due_at < now() - interval '2 s' and (claimed_until is null or claimed_until < now())
        and last_checked_at is not null and failures = 0 and recoveries = 0
      order by monitor_id for update
    )
    update monitor_states s
    set due_at = now() + mod(m.num * 0.6180339887498949, 1)::float8 * least(
      interval '30 s',
      m.interval_seconds * interval '1 s'
        - case when now() - s.due_at < m.interval_seconds * interval '1 s' then now() - s.due_at else interval '0' end
    )
    from overdue join monitors m on m.id = overdue.monitor_id
    where s.monitor_id = m.id and m.type <> 'heartbeat'`;
}
