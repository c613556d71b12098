import { type Watch, watchedUntil } from '@/server/history/watched-until';
import type { Verdict } from '@/server/monitors/probing/observation';
import type { MonitorStatus } from '@/server/monitors/schema';
import { nextDue } from '../schedule/due';
import { countChanges } from './flapping';
import { countLatency } from './latency-streak';
import { type Counted, SETTLED } from './settled';

/** Incidents that speak of a monitor's status. A monitor has at most one of them open. */
export type StatusIncident = 'downtime' | 'degraded';

/** What the next verdict depends on. All of it is stored, so that it does not matter which process decides. */
export interface WatchState {
  status: MonitorStatus;
  statusSince: Date;
  /** Failing and succeeding checks in a row that speak against `status`, and when the row began. */
  failures: number;
  recoveries: number;
  turnedAt: Date | null;
  /** Slow checks in a row while not degraded, clearly fast ones while degraded, and when the row began. */
  latencyStreak: number;
  latencyTurnedAt: Date | null;
  /** What was told and its end was not. */
  openIncident: StatusIncident | null;
  /** When the monitor went down or came up again lately; empty while it flaps. */
  changes: Date[];
  /** While the monitor flaps: since when it has not changed. Null: it does not flap. */
  steadySince: Date | null;
  lastCheckedAt: Date | null;
}

export interface Policy extends Watch {
  monitorNum: number;
  intervalSeconds: number;
  /** Failing checks in a row until down, succeeding ones until up again, and the wait before a check that is to confirm. */
  failures: number;
  recoveries: number;
  retryDelayMs: number;
  /** Slow checks in a row until degraded, and clearly fast ones until not. Null: degraded counts at once and opens nothing. */
  degraded: number | null;
}

/** A verdict and when its check began. */
export interface Seen extends Verdict {
  at: Date;
}

export interface SpanStart {
  status: MonitorStatus;
  startedAt: Date;
}

export type IncidentChange =
  | { kind: 'open'; type: StatusIncident; startedAt: Date; cause: string }
  /** The open one ends; `message` is the last line of its story. */
  | { kind: 'resolve'; resolvedAt: Date; message: string }
  /** A line in the story of the open one, told to no channel. */
  | { kind: 'note'; at: Date; message: string };

export interface Transition {
  state: WatchState;
  dueAt: Date;
  /** What the monitor's spans are from the first one's start on, each ending where the next starts; empty: as before. */
  spans: SpanStart[];
  /** In the order in which they happen: what was open ends before another opens. */
  incidents: IncidentChange[];
}

/** A decision about the status, without regard to flapping: `since` is null where the status stays. */
interface Decision {
  counted: Counted;
  status: MonitorStatus;
  since: Date | null;
  /** The wait until a check that is to confirm; null where there is nothing to confirm. */
  confirmInMs: number | null;
  openIncident: StatusIncident | null;
  incidents: IncidentChange[];
  /** Since when the monitor is down, or is not any more, where that is new. */
  changedAt: Date | null;
}

/** A slow minute is no trend, and quick rechecks would burden just what is slow; but an hour's interval is too long. */
const LATENCY_RECHECK_MS = 60_000;

/** The status `to` from `since` on, or as it was where it is that already. */
function settle({ status, openIncident }: WatchState, to: MonitorStatus, since: Date): Decision {
  return {
    ...{ counted: SETTLED, status: to, since: to === status ? null : since, confirmInMs: null },
    ...{ openIncident, incidents: [], changedAt: null },
  };
}

/** The status stays while a change of it is counted. */
function count(state: WatchState, counted: Partial<Counted>, confirmInMs: number): Decision {
  return { ...settle(state, state.status, state.statusSince), counted: { ...SETTLED, ...counted }, confirmInMs };
}

/** Whether a downtime lasts, as far as anybody knows. A flapping monitor's incident is open while it is up, too. */
export function isBelievedDown({
  status,
  openIncident,
  steadySince,
}: Pick<WatchState, 'status' | 'openIncident' | 'steadySince'>): boolean {
  return status === 'down' || (openIncident === 'downtime' && (steadySince === null || status === 'unknown'));
}

function decideFailing(state: WatchState, seen: Seen, policy: Policy): Decision {
  const { openIncident } = state;
  const failures = state.failures + 1;
  const turnedAt = state.failures > 0 && state.turnedAt ? state.turnedAt : seen.at;
  if (state.status !== 'down' && failures < policy.failures) {
    return count(state, { failures, turnedAt }, policy.retryDelayMs);
  }
  // Somebody may have resolved the incident by hand while the downtime goes on: it is told again.
  const startedAt = state.status === 'down' ? seen.at : turnedAt;
  const message = 'The monitor went down.';
  const ends: IncidentChange[] =
    openIncident === 'degraded' ? [{ kind: 'resolve', resolvedAt: startedAt, message }] : [];
  const cause = seen.error ?? 'The check failed';
  const opens: IncidentChange[] =
    openIncident === 'downtime' ? [] : [{ kind: 'open', type: 'downtime', startedAt, cause }];
  return {
    ...settle(state, 'down', startedAt),
    openIncident: 'downtime',
    incidents: [...ends, ...opens],
    changedAt: isBelievedDown(state) ? null : startedAt,
  };
}

function decideRecovering(state: WatchState, seen: Seen, policy: Policy): Decision {
  const recoveries = state.recoveries + 1;
  const turnedAt = state.recoveries > 0 && state.turnedAt ? state.turnedAt : seen.at;
  // Degraded is decided of what is up, by slow checks that may have begun before.
  const { latencyStreak, latencyTurnedAt } = countLatency(state, seen, policy.degraded && Number.POSITIVE_INFINITY);
  if (recoveries < policy.recoveries) {
    return count(state, { recoveries, turnedAt, latencyStreak, latencyTurnedAt }, policy.retryDelayMs);
  }
  const message = 'Checks are passing again.';
  const up = settle(state, policy.degraded === null ? seen.status : 'up', turnedAt);
  return {
    ...up,
    counted: { ...SETTLED, latencyStreak, latencyTurnedAt },
    confirmInMs: latencyStreak > 0 ? LATENCY_RECHECK_MS : null,
    openIncident: null,
    incidents: state.openIncident ? [{ kind: 'resolve', resolvedAt: turnedAt, message }] : [],
    changedAt: turnedAt,
  };
}

function decideAnswering(state: WatchState, seen: Seen, policy: Policy): Decision {
  const { isDegraded, since, ...streak } = countLatency(state, seen, policy.degraded);
  const settled = settle(state, isDegraded ? 'degraded' : 'up', since ?? seen.at);
  const decision = {
    ...settled,
    counted: { ...SETTLED, ...streak },
    confirmInMs: streak.latencyStreak > 0 ? LATENCY_RECHECK_MS : null,
  };
  if (state.openIncident === 'degraded' && !isDegraded) {
    const message = 'Response times are back to normal.';
    const resolved: IncidentChange = { kind: 'resolve', resolvedAt: since ?? seen.at, message };
    return { ...decision, openIncident: null, incidents: [resolved] };
  }
  const isTold = policy.degraded === null || state.openIncident !== null;
  if (isTold || !isDegraded || seen.status !== 'degraded') return decision;
  const cause = seen.error ?? 'The response was slow';
  const opened: IncidentChange = { kind: 'open', type: 'degraded', startedAt: since ?? seen.at, cause };
  return { ...decision, openIncident: 'degraded', incidents: [opened] };
}

function decide(state: WatchState, seen: Seen, policy: Policy): Decision {
  switch (seen.status) {
    case 'down':
      return decideFailing(state, seen, policy);
    case 'up':
    case 'degraded':
      return isBelievedDown(state) ? decideRecovering(state, seen, policy) : decideAnswering(state, seen, policy);
    case 'unknown':
      return settle(state, 'unknown', seen.at);
    default:
      return seen.status satisfies never;
  }
}

/** Nothing speaks against the status. */
const isSettled = ({ failures, recoveries }: Pick<Counted, 'failures' | 'recoveries'>) =>
  failures === 0 && recoveries === 0;

/** Since when nobody had watched, where that is before this check. */
function gapStart({ status, lastCheckedAt }: WatchState, seen: Seen, policy: Policy): Date | null {
  if (!lastCheckedAt || status === 'pending' || status === 'unknown') return null;
  const known = watchedUntil(policy, lastCheckedAt);
  return known < seen.at ? known : null;
}

/** Nobody knows what was meanwhile: no row of checks goes on over it, and no steadiness. */
function afterGap(state: WatchState, { at }: Seen): WatchState {
  return { ...state, ...SETTLED, steadySince: state.steadySince && at };
}

/**
 * The state after a check, when the next one is due, how the monitor's spans change, and which incidents open or end.
 * Down starts at the first failing check of its row, not at the one that confirmed it; the end of a downtime, and degraded, likewise. A monitor that was not checked for longer
 * than a check speaks for it was in an unknown status meanwhile, and what was counted before no longer counts. A check older than the last one moves nothing, and what that one found is still to be confirmed.
 *
 * @param now when the result is taken, not before its check was due
 */
export function transition(state: WatchState, seen: Seen, policy: Policy, now: Date): Transition {
  const { intervalSeconds } = policy;
  const regular = nextDue(policy.monitorNum, intervalSeconds, now);
  const dueWithin = (ms: number | null) =>
    new Date(Math.min(now.getTime() + (ms ?? Number.POSITIVE_INFINITY), regular.getTime()));
  if (state.lastCheckedAt && seen.at < state.lastCheckedAt) {
    return { state, dueAt: dueWithin(isSettled(state) ? null : policy.retryDelayMs), spans: [], incidents: [] };
  }
  const gap = gapStart(state, seen, policy);
  const before = gap ? afterGap(state, seen) : state;
  const { counted, status, since: changed, confirmInMs, ...step } = decide(before, seen, policy);
  const moment = { isDown: status === 'down', isUnknown: status === 'unknown', isSettled: isSettled(counted) };
  const { incidents, ...held } = countChanges(before, step, { at: seen.at, intervalSeconds, ...moment });
  const since = changed ?? (gap ? seen.at : null);
  const spans: SpanStart[] = since ? [{ status, startedAt: since }] : [];
  return {
    state: { ...counted, ...held, status, statusSince: since ?? state.statusSince, lastCheckedAt: seen.at },
    dueAt: dueWithin(confirmInMs),
    spans: gap ? [{ status: 'unknown', startedAt: gap }, ...spans] : spans,
    incidents,
  };
}
