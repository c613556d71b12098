import { type Watch, watchedUntil } from '@/server/history/watched-until';
import type { Verdict } from '@/server/monitors/probing/observation';
import type { MonitorStatus } from '@/server/monitors/schema';
import { nextDue, type Phase } from '../schedule/due';
import { countChanges } from './flapping';
import { countLatency } from './latency-streak';
import { type Counted, SETTLED } from './settled';

/** Incidents about a monitor's status. A monitor has at most one of them open. */
export type StatusIncident = 'downtime' | 'degraded';

/** What the next verdict depends on. All of it is stored, so that it does not matter which process decides. */
export interface WatchState {
  status: MonitorStatus;
  statusSince: Date;
  /**
   * Checks that contradict `status`, and since when. `failures` of a monitor that is not down: each failing check adds 2, each
   * passing one takes off 1. `recoveries` of one that is down: passing checks in a row, from below 0 on after a row that ended too
   * soon, so that the next row must be longer. `turnedAt` is null while nothing is counted.
   */
  failures: number;
  recoveries: number;
  turnedAt: Date | null;
  /** Slow checks in a row while not degraded, clearly fast ones while degraded, and when the row began. */
  latencyStreak: number;
  latencyTurnedAt: Date | null;
  /** The open incident. */
  openIncident: StatusIncident | null;
  /** When the monitor went down or came up again lately; empty while it flaps. */
  changes: Date[];
  /** While the monitor flaps: since when it has not changed. Null: it does not flap. */
  steadySince: Date | null;
  lastCheckedAt: Date | null;
}

export interface Policy extends Watch, Phase {
  /**
   * Failing checks until down, of which a passing one in between takes back half of one; passing ones in a row until up
   * again; and the time from the start of one check to the next while they are counted.
   */
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

/** What maintenance held back has the time at which it takes effect: its timeline names the window. */
interface Holdable {
  toldAt?: Date;
}

export type IncidentChange =
  | ({ kind: 'open'; type: StatusIncident; startedAt: Date; cause: string } & Holdable)
  /** The open one ends; `message` is the last line of its timeline. */
  | ({ kind: 'resolve'; resolvedAt: Date; message: string } & Holdable)
  /** The open one ends because another opens in its place: people are notified of that one only. */
  | ({ kind: 'supersede'; resolvedAt: Date; message: string } & Holdable)
  /** The first check in maintenance of a monitor with an open one, whose end is held from then on. */
  | { kind: 'hold'; at: Date }
  /** A line in the timeline of the open one, sent to no channel. */
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
/** A new monitor is confirmed quickly: nobody relies on it yet, and its creator waits for the first status. */
const PENDING_RETRY_MS = 2_000;
/** After a check that took longer than the wait between two. */
const SHORTEST_PAUSE_MS = 1_000;
/** What a failing check adds to `failures`; a passing one takes off 1. Intermittent failures add up, single ones do not. */
const FAILURE_WEIGHT = 2;
/** A row of checks lasts long enough if it lasts this share of its time: timers and clocks differ a little. */
const TOLERANCE = 0.9;
/** While a monitor is down it is checked every half interval, but not more often than this. */
const SHORTEST_WHILE_DOWN_MS = 30_000;

const latest = (a: Date, b: Date) => (a > b ? a : b);

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

/** How far apart the checks lie that are to confirm a change. */
const retryDelayOf = ({ status }: WatchState, { retryDelayMs }: Policy) =>
  status === 'pending' ? Math.min(retryDelayMs, PENDING_RETRY_MS) : retryDelayMs;

/**
 * Whether checks in a row are enough, and spread enough: a hiccup as long as the time between two of them is never all of
 * the row, at a short interval neither.
 */
function isEnough(row: { checks: number; needed: number; lastedMs: number }, delayMs: number): boolean {
  return row.checks >= row.needed && row.lastedMs >= (row.needed - 1) * delayMs * TOLERANCE;
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
  const failures = state.failures + FAILURE_WEIGHT;
  const turnedAt = state.failures > 0 && state.turnedAt ? state.turnedAt : seen.at;
  const delayMs = retryDelayOf(state, policy);
  const lastedMs = seen.at.getTime() - turnedAt.getTime();
  const row = { checks: failures / FAILURE_WEIGHT, needed: policy.failures, lastedMs };
  if (state.status !== 'down' && !isEnough(row, delayMs)) return count(state, { failures, turnedAt }, delayMs);
  // If somebody resolved the incident by hand while the downtime goes on, another one opens, with the downtime's start.
  // The row may have begun before the present status did, if slow checks lie among the failing ones.
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
  // Of a monitor whose status is unknown, failing checks may have been counted.
  const turnedAt = (state.failures === 0 && state.turnedAt) || seen.at;
  // Degraded is decided of what is up, by slow checks that may have begun before.
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
  const isTold = policy.degraded === null || state.openIncident !== null;
  if (isTold || !isDegraded || seen.status !== 'degraded') return decision;
  const cause = seen.error ?? 'The response was slow';
  // Without a new start it was degraded before, and somebody resolved its incident by hand.
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

/** Since when nobody had watched, where that is before this check. */
export function gapStart(
  { status, lastCheckedAt }: Pick<WatchState, 'status' | 'lastCheckedAt'>,
  seen: Pick<Seen, 'at'>,
  policy: Watch,
): Date | null {
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
 * Every change is dated back to the first check of its row. After a gap in checking, the status was unknown meanwhile and all
 * counts start over. A check older than the last one changes nothing but keeps a running confirmation due soon.
 *
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
    ...{ at: seen.at, error: seen.error, intervalSeconds },
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
