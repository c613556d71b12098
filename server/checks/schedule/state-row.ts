import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { CertificateState, KeptCertificate } from '../verdict/certificate';
import type { HeartbeatState } from '../verdict/heartbeat';
import { type MaintenanceState, readHeld } from '../verdict/maintenance';
import type { Vote } from '../verdict/majority';
import { contradictedSince } from '../verdict/transition';
import type { StatusIncident, WatchState } from '../verdict/types';

/** The parts of a state row that verdicts depend on. */
export type StoredState = WatchState &
  HeartbeatState &
  CertificateState &
  MaintenanceState & { plannedUntil: Date | null };

/** The columns that raw statements read for a verdict. */
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
  noise_until: Date | null;
  expected_since: Date | null;
  run_started_at: Date | null;
  certificate: KeptCertificate | null;
  certificate_warned: boolean;
  maintenance: Date[];
  check_pauses: Date[];
  planned_until: Date | null;
  /** The JSON form of `Held`. */
  held: unknown;
}

/** A complete state row. */
export interface LockedRow extends StateRow {
  region: string;
  due_at: Date | null;
  claimed_by: string | null;
  claimed_until: Date | null;
  last_latency_ms: number | null;
  last_error: string | null;
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
    noiseUntil: row.noise_until,
    expectedSince: row.expected_since,
    runStartedAt: row.run_started_at,
    certificate: row.certificate,
    certificateWarned: row.certificate_warned,
    maintenance: row.maintenance,
    checkPauses: row.check_pauses,
    plannedUntil: row.planned_until,
    held: readHeld(row.held),
  };
}

export function toVote(row: LockedRow): Vote {
  return {
    region: row.region,
    status: row.status,
    statusSince: row.status_since,
    lastCheckedAt: row.last_checked_at,
    lastError: row.last_error,
    turnedAt: contradictedSince(toWatchState(row)),
    dueAt: row.due_at,
  };
}
