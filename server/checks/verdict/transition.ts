import { type Watch, watchedUntil } from '@/server/history/watched-until';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import { nextDue } from '@/server/time/phase';
import { countChanges } from './flapping';
import { countLatency } from './latency-streak';
import { type Counted, SETTLED } from './settled';
import type { IncidentChange, Policy, Seen, SpanStart, StatusIncident, Transition, WatchState } from './types';

/** A decision about the status without regard to flapping. `since` is null if the status does not change. */
interface Decision {
  counted: Counted;
  status: MonitorStatus;
  since: Date | null;
  /** The wait until a recheck; null if there is nothing to confirm. */
  confirmInMs: number | null;
  openIncident: StatusIncident | null;
  incidents: IncidentChange[];
  /** When the monitor changed to or from down; null if it did not. */
  changedAt: Date | null;
}

/**
 * The interval of rechecks for latency: quick ones would burden a slow target, and a slow minute is no trend, but an interval of an hour is too
 * long.
 */
const LATENCY_RECHECK_MS = 60_000;
/** The interval of rechecks for a new monitor: its creator waits for the first status. */
const PENDING_RETRY_MS = 2_000;
/** The pause after a check that took longer than the interval of rechecks. */
const SHORTEST_PAUSE_MS = 1_000;
/** What a failing check adds to `failures`; a passing one subtracts 1. So intermittent failures add up, single ones do not. */
const FAILURE_WEIGHT = 2;
/** A streak is long enough if it lasted this share of the required time, because timers and clocks differ a little. */
const TOLERANCE = 0.9;
/** While a monitor is down it is checked every half interval, but not more often than this. */
const SHORTEST_WHILE_DOWN_MS = 30_000;

const latest = (a: Date, b: Date) => (a > b ? a : b);

/** Sets the status to `to` since `since`. If it already has that status, only the counters are reset. */
function settle({ status, openIncident }: WatchState, to: MonitorStatus, since: Date): Decision {
  return {
    counted: SETTLED,
    status: to,
    since: to === status ? null : since,
    confirmInMs: null,
    openIncident,
    incidents: [],
    changedAt: null,
  };
}

/** Keeps the status while a change of it is counted. */
function count(state: WatchState, counted: Partial<Counted>, confirmInMs: number): Decision {
  return { ...settle(state, state.status, state.statusSince), counted: { ...SETTLED, ...counted }, confirmInMs };
}

/** The interval of the rechecks that confirm a change. */
const retryDelayOf = ({ status }: WatchState, { retryDelayMs }: Policy) =>
  status === 'pending' ? Math.min(retryDelayMs, PENDING_RETRY_MS) : retryDelayMs;

/**
 * Whether a streak has enough checks and lasted long enough, so that one short disturbance never makes up the whole streak, even at a short
 * interval.
 */
function isEnough(row: { checks: number; needed: number; lastedMs: number }, delayMs: number): boolean {
  return row.checks >= row.needed && row.lastedMs >= (row.needed - 1) * delayMs * TOLERANCE;
}

/** Whether a downtime lasts as far as is known. A flapping monitor's incident stays open while it is up. */
export function isBelievedDown({
  status,
  openIncident,
  steadySince,
}: Pick<WatchState, 'status' | 'openIncident' | 'steadySince'>): boolean {
  return status === 'down' || (openIncident === 'downtime' && (steadySince === null || status === 'unknown'));
}

function decideFailing(state: WatchState, seen: Seen, policy: Policy): Decision {
  const { openIncident } = state;
  const failures = state.failures + FAILURE_WEIGHT;
  const turnedAt = state.failures > 0 && state.turnedAt ? state.turnedAt : seen.at;
  const delayMs = retryDelayOf(state, policy);
  const lastedMs = seen.at.getTime() - turnedAt.getTime();
  const row = { checks: failures / FAILURE_WEIGHT, needed: policy.failures, lastedMs };
  if (state.status !== 'down' && !isEnough(row, delayMs)) return count(state, { failures, turnedAt }, delayMs);
  // If a user resolved the incident while the downtime lasts, another one opens with the start of the downtime. The streak may have begun before the
  // present status if slow checks are among the failing ones.
  const startedAt = state.status === 'down' ? state.statusSince : latest(turnedAt, state.statusSince);
  const message = 'The monitor went down.';
  const ends: IncidentChange[] =
    openIncident === 'degraded' ? [{ kind: 'supersede', resolvedAt: startedAt, message }] : [];
  const cause = seen.error ?? 'The check failed';
  const opens: IncidentChange[] =
    openIncident === 'downtime' ? [] : [{ kind: 'open', type: 'downtime', startedAt, cause }];
  const isRelapse = state.recoveries < 0 || state.turnedAt !== null;
  return {
    ...settle(state, 'down', startedAt),
    counted: { ...SETTLED, recoveries: isRelapse && state.status === 'down' ? -policy.recoveries : 0 },
    confirmInMs: Math.max(SHORTEST_WHILE_DOWN_MS, (policy.intervalSeconds * 1000) / 2),
    openIncident: 'downtime',
    incidents: [...ends, ...opens],
    changedAt: isBelievedDown(state) ? null : startedAt,
  };
}

function decideRecovering(state: WatchState, seen: Seen, policy: Policy): Decision {
  const recoveries = state.recoveries + 1;
  // While the status is unknown, failing checks may have been counted.
  const turnedAt = (state.failures === 0 && state.turnedAt) || seen.at;
  // Degraded is decided for a monitor that is up, by slow checks that may have begun before.
  const { latencyStreak, latencyTurnedAt } = countLatency(state, seen, policy.degraded && Number.POSITIVE_INFINITY);
  const lastedMs = seen.at.getTime() - turnedAt.getTime();
  if (!isEnough({ checks: recoveries, needed: policy.recoveries, lastedMs }, policy.retryDelayMs)) {
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
  const failures = Math.max(0, state.failures - 1);
  const turnedAt = failures > 0 ? state.turnedAt : null;
  const latencyRecheckMs = streak.latencyStreak > 0 ? LATENCY_RECHECK_MS : null;
  const decision = {
    ...settled,
    counted: { ...SETTLED, failures, turnedAt, ...streak },
    confirmInMs: failures > 0 ? retryDelayOf(state, policy) : latencyRecheckMs,
  };
  if (state.openIncident === 'degraded' && !isDegraded) {
    const message = 'Response times are back to normal.';
    const resolved: IncidentChange = { kind: 'resolve', resolvedAt: since ?? seen.at, message };
    return { ...decision, openIncident: null, incidents: [resolved] };
  }
  const opensNothing = policy.degraded === null || state.openIncident !== null;
  if (opensNothing || !isDegraded || seen.status !== 'degraded') return decision;
  const cause = seen.error ?? 'The response was slow';
  // Without a new start, the monitor was already degraded and a user resolved its incident.
  const opened: IncidentChange = { kind: 'open', type: 'degraded', startedAt: since ?? state.statusSince, cause };
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

/** Whether no check that contradicts the status is counted. */
export const isSettled = ({ turnedAt }: Pick<Counted, 'turnedAt'>) => turnedAt === null;

/** The start of a gap without checks that ends with this check; null if there is none. */
export function gapStart(
  { status, lastCheckedAt }: Pick<WatchState, 'status' | 'lastCheckedAt'>,
  seen: Pick<Seen, 'at'>,
  policy: Watch,
): Date | null {
  if (!lastCheckedAt || status === 'pending' || status === 'unknown') return null;
  const known = watchedUntil(policy, lastCheckedAt);
  return known < seen.at ? known : null;
}

/** Resets streaks and the steady period after a gap without checks, because the status in between is unknown. */
function afterGap(state: WatchState, { at }: Seen): WatchState {
  return { ...state, ...SETTLED, steadySince: state.steadySince && at };
}

/**
 * Returns the state after a check, when the next one is due, how the monitor's spans change, and which incidents open or end. Every change is dated
 * back to the first check of its streak. After a gap without checks, the status in between is unknown and all counters start again. A check older
 * than the last one only keeps a running confirmation due soon.
 * @param now when the result is taken, not before its check was due
 */
export function transition(state: WatchState, seen: Seen, policy: Policy, now: Date): Transition {
  const { intervalSeconds } = policy;
  const regular = nextDue(policy, now).getTime();
  const dueWithin = (ms: number | null) => {
    if (ms === null) return new Date(regular);
    const pausedUntil = now.getTime() + Math.min(ms, SHORTEST_PAUSE_MS);
    return new Date(Math.min(Math.max(seen.at.getTime() + ms, pausedUntil), regular));
  };
  if (state.lastCheckedAt && seen.at < state.lastCheckedAt) {
    return { state, dueAt: dueWithin(isSettled(state) ? null : policy.retryDelayMs), spans: [], incidents: [] };
  }
  const gap = gapStart(state, seen, policy);
  const before = gap ? afterGap(state, seen) : state;
  const { counted, status, since: changed, confirmInMs, ...step } = decide(before, seen, policy);
  const moment = { isDown: status === 'down', isUnknown: status === 'unknown', isSettled: isSettled(counted) };
  const { incidents, ...held } = countChanges(before, step, {
    at: seen.at,
    error: seen.error,
    intervalSeconds,
    ...moment,
  });
  const since = changed ?? (gap ? seen.at : null);
  const spans: SpanStart[] = since ? [{ status, startedAt: since }] : [];
  return {
    state: { ...counted, ...held, status, statusSince: since ?? state.statusSince, lastCheckedAt: seen.at },
    dueAt: dueWithin(confirmInMs),
    spans: gap ? [{ status: 'unknown', startedAt: gap }, ...spans] : spans,
    incidents,
  };
}
