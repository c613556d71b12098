import { type Counted, SETTLED } from '@/server/checks/verdict/settled';
import { markStale } from '@/server/history/mark-stale';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';
import { type IncidentType, Prisma } from '@/server/platform/generated/prisma/client';

/** A status of a monitor that starts at a given time. */
interface StatusFrom {
  id: string;
  num: number;
  status: MonitorStatus;
  at: Date;
}

/** Ends the open span of each monitor at the given time and starts the next one. */
export async function startSpans(tx: Tx, spans: Omit<StatusFrom, 'id'>[]): Promise<void> {
  if (spans.length === 0) return;
  const rows = JSON.stringify(spans);
  // Raw: a different time in each row, and an upsert of many rows.
  await tx.$executeRaw`
    update status_spans set ended_at = next.at
    from jsonb_to_recordset(${rows}::jsonb) as next (num int, at timestamptz)
    where monitor_num = next.num and ended_at is null`;
  await tx.$executeRaw`
    insert into status_spans (monitor_num, started_at, status)
    select num, at, status::monitor_status
    from jsonb_to_recordset(${rows}::jsonb) as next (num int, at timestamptz, status text)
    on conflict (monitor_num, started_at) do update set status = excluded.status, ended_at = null`;
}

/**
 * Sets the status of monitors for a pause or resumption: starts a new span, and resets all streaks, the open incident and held changes in the state.
 * Does not update the schedule (`scheduleMonitors`). The caller has locked the states.
 */
export async function changeStatuses(tx: Tx, monitors: StatusFrom[]): Promise<void> {
  if (monitors.length === 0) return;
  await tx.monitorState.updateMany({
    where: { monitorId: { in: monitors.map(({ id }) => id) }, region: '' },
    data: {
      ...SETTLED,
      changes: [],
      openIncident: null,
      steadySince: null,
      runStartedAt: null,
      certificateWarned: false,
      held: Prisma.DbNull,
    },
  });
  // Raw: sets a different status and time in each row. A heartbeat that was pinged before expects its next ping from now on.
  await tx.$executeRaw`
    update monitor_states s set status = next.status::monitor_status, status_since = next.at,
      expected_since = case when s.expected_since is not null then next.at end
    from jsonb_to_recordset(${JSON.stringify(monitors)}::jsonb) as next (id text, status text, at timestamptz)
    where s.monitor_id = next.id and s.region = ''`;
  await startSpans(tx, monitors);
}

/** Stores in the states of monitors what undoing a pause restores. */
export async function storeUndoState(tx: Tx, states: { id: string; before: object }[]): Promise<void> {
  if (states.length === 0) return;
  // Raw: a different value in each row.
  await tx.$executeRaw`
    update monitor_states s set before_pause = kept.before
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as kept (id text, before jsonb)
    where s.monitor_id = kept.id and s.region = ''`;
}

/** The status of a monitor before a pause, with its streaks. */
interface FormerStatus extends Counted {
  id: string;
  num: number;
  status: MonitorStatus;
  statusSince: Date;
  pausedAt: Date;
}

/**
 * Restores the statuses of monitors that were just resumed, as if they had not been paused: deletes the spans since the pause and reopens the former
 * ones. A heartbeat expects its next ping from now on, because pings were not counted meanwhile.
 */
export async function restoreStatuses(tx: Tx, monitors: FormerStatus[]): Promise<void> {
  if (monitors.length === 0) return;
  const rows = JSON.stringify(monitors);
  // Raw: different values in each row.
  await tx.$executeRaw`
    update monitor_states s set status = was.status::monitor_status, status_since = was."statusSince", failures = was.failures,
      recoveries = was.recoveries, turned_at = was."turnedAt", latency_streak = was."latencyStreak",
      latency_turned_at = was."latencyTurnedAt"
    from jsonb_to_recordset(${rows}::jsonb) as was (
      id text, status text, "statusSince" timestamptz, failures int, recoveries int, "turnedAt" timestamptz,
      "latencyStreak" int, "latencyTurnedAt" timestamptz)
    where s.monitor_id = was.id and s.region = ''`;
  await tx.$executeRaw`
    delete from status_spans span using jsonb_to_recordset(${rows}::jsonb) as was (num int, "pausedAt" timestamptz)
    where span.monitor_num = was.num and span.started_at >= was."pausedAt"`;
  await tx.$executeRaw`
    update status_spans span set ended_at = null
    from jsonb_to_recordset(${rows}::jsonb) as was (num int, "pausedAt" timestamptz)
    where span.monitor_num = was.num and span.ended_at = was."pausedAt"`;
  await markStale(
    tx,
    monitors.map(({ num: monitorNum, pausedAt: since }) => ({ monitorNum, since })),
  );
}

/** The columns of a state that undoing a pause restores. */
interface Restored {
  id: string;
  openIncident: IncidentType | null;
  changes: Date[];
  steadySince: Date | null;
  held: unknown;
  certificateWarned: boolean;
}

/** Restores the open incident, flapping, held changes and certificate warning in the states of monitors. */
export async function restoreStates(tx: Tx, states: Restored[]): Promise<void> {
  if (states.length === 0) return;
  // Raw: different values in each row.
  await tx.$executeRaw`
    update monitor_states s set open_incident = was."openIncident"::incident_type, changes = was.changes,
      steady_since = was."steadySince", held = was.held, certificate_warned = was."certificateWarned"
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as was (
      id text, "openIncident" text, changes timestamptz[], "steadySince" timestamptz, held jsonb, "certificateWarned" boolean)
    where s.monitor_id = was.id and s.region = ''`;
}
