import type { MonitorStatus } from '@/server/monitors/schema';
import { nextDue } from './due';
import type { Verdict } from './types';

/** What the next verdict depends on. All of it is stored, so that it does not matter which process decides. */
export interface WatchState {
  status: MonitorStatus;
  statusSince: Date;
  /** Failing and succeeding checks in a row that speak against `status`, and when the row began. */
  failures: number;
  recoveries: number;
  turnedAt: Date | null;
  /** A downtime was told and its end was not. */
  incidentOpen: boolean;
  lastCheckedAt: Date | null;
}

export interface Policy {
  monitorNum: number;
  intervalSeconds: number;
  /** How long a check speaks for the time after it. */
  watchedForMs: number;
  /** Failing checks in a row until down, succeeding ones until up again, and the wait before a check that is to confirm. */
  failures: number;
  recoveries: number;
  retryDelayMs: number;
}

/** A verdict and when its check began. */
export interface Seen extends Verdict {
  at: Date;
}

export interface SpanStart {
  status: MonitorStatus;
  startedAt: Date;
}

export type IncidentChange = { kind: 'open'; startedAt: Date; cause: string } | { kind: 'resolve'; resolvedAt: Date };

export interface Transition {
  state: WatchState;
  dueAt: Date;
  /** What the monitor's spans are from the first one's start on, each ending where the next starts; empty: as before. */
  spans: SpanStart[];
  incident: IncidentChange | null;
}

/** A decision about the status: `since` is null where the status stays. */
interface Decision {
  state: Pick<WatchState, 'failures' | 'recoveries' | 'turnedAt' | 'incidentOpen'>;
  status: MonitorStatus;
  since: Date | null;
  confirm: boolean;
  incident: IncidentChange | null;
}

const SETTLED = { failures: 0, recoveries: 0, turnedAt: null };

/** The status `to` from `since` on, or as it was where it is that already. */
function settle(state: WatchState, to: MonitorStatus, since: Date, incident: IncidentChange | null = null): Decision {
  const incidentOpen = incident ? incident.kind === 'open' : state.incidentOpen;
  return {
    state: { ...SETTLED, incidentOpen },
    status: to,
    since: to === state.status ? null : since,
    confirm: false,
    incident,
  };
}

function decideFailing(state: WatchState, seen: Seen, policy: Policy): Decision {
  const cause = seen.error ?? 'The check failed';
  if (state.status === 'down') {
    // Somebody resolved the incident by hand, but the downtime goes on.
    return settle(state, 'down', seen.at, state.incidentOpen ? null : { kind: 'open', startedAt: seen.at, cause });
  }
  const failures = state.failures + 1;
  const turnedAt = state.failures > 0 && state.turnedAt ? state.turnedAt : seen.at;
  if (failures >= policy.failures) {
    return settle(state, 'down', turnedAt, state.incidentOpen ? null : { kind: 'open', startedAt: turnedAt, cause });
  }
  const counted = { failures, recoveries: 0, turnedAt, incidentOpen: state.incidentOpen };
  return { state: counted, status: state.status, since: null, confirm: true, incident: null };
}

function decideWell(state: WatchState, seen: Seen, policy: Policy): Decision {
  if (state.status !== 'down' && !state.incidentOpen) return settle(state, seen.status, seen.at);
  const recoveries = state.recoveries + 1;
  const turnedAt = state.recoveries > 0 && state.turnedAt ? state.turnedAt : seen.at;
  if (recoveries >= policy.recoveries) {
    const incident: IncidentChange | null = state.incidentOpen ? { kind: 'resolve', resolvedAt: turnedAt } : null;
    return settle(state, seen.status, turnedAt, incident);
  }
  const counted = { failures: 0, recoveries, turnedAt, incidentOpen: state.incidentOpen };
  return { state: counted, status: state.status, since: null, confirm: true, incident: null };
}

function decide(state: WatchState, seen: Seen, policy: Policy): Decision {
  switch (seen.status) {
    case 'down':
      return decideFailing(state, seen, policy);
    case 'up':
    case 'degraded':
      return decideWell(state, seen, policy);
    case 'unknown':
      return settle(state, 'unknown', seen.at);
    default:
      return seen.status satisfies never;
  }
}

/** Since when nobody had watched, where that is before this check. */
function gapStart({ status, lastCheckedAt }: WatchState, seen: Seen, policy: Policy): Date | null {
  if (!lastCheckedAt || status === 'pending' || status === 'unknown') return null;
  const known = new Date(lastCheckedAt.getTime() + policy.watchedForMs);
  return known < seen.at ? known : null;
}

/**
 * The state after a check, when the next one is due, how the monitor's spans change, and whether an incident opens or is
 * resolved. Down starts at the first failing check of its row, not at the one that confirmed it; the end of a downtime likewise. A monitor that was not checked for longer
 * than `watchedForMs` was in an unknown status meanwhile, and what was counted before no longer counts. A check older than the last one moves nothing.
 *
 * @param now when the result is taken, not before its check was due
 */
export function transition(state: WatchState, seen: Seen, policy: Policy, now: Date): Transition {
  const regular = nextDue(policy.monitorNum, policy.intervalSeconds, now);
  if (state.lastCheckedAt && seen.at < state.lastCheckedAt) {
    return { state, dueAt: regular, spans: [], incident: null };
  }
  const gap = gapStart(state, seen, policy);
  const decision = decide(gap ? { ...state, ...SETTLED } : state, seen, policy);
  const since = decision.since ?? (gap ? seen.at : null);
  const recheck = new Date(now.getTime() + policy.retryDelayMs);
  const spans: SpanStart[] = since ? [{ status: decision.status, startedAt: since }] : [];
  return {
    state: {
      ...decision.state,
      status: decision.status,
      statusSince: since ?? state.statusSince,
      lastCheckedAt: seen.at,
    },
    dueAt: decision.confirm && recheck < regular ? recheck : regular,
    spans: gap ? [{ status: 'unknown', startedAt: gap }, ...spans] : spans,
    incident: decision.incident,
  };
}
