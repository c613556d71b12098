import { type Watch, watchedUntil } from '@/server/history/watched-until';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import { nextDue } from '@/server/time/phase';
import { countChanges, policyWhileFlapping, wasUpWhileFlapping } from './flapping';
import { countLatency, countsAsDegraded, NO_STREAK } from './latency-streak';
import { afterDowntime, afterShortFailure, NOISY_FACTOR, noisyUntil } from './noise';
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
  noiseUntil: Date | null;
}

/**
 * The interval of rechecks for latency: quick ones would burden a slow target, and a slow minute is no trend, but an interval of an hour is too
 * long.
 */
const LATENCY_RECHECK_MS = 60_000;
/** The interval of rechecks for a new monitor: its creator waits for the first status. */
const PENDING_RETRY_MS = 2_000;
/** The pause after a check that took longer than the interval of rechecks. */
const SHORTEST_PAUSE_MS = 250;
/**
 * The weights of a failing and of a passing check in both directions. A service is down if it fails more than two of five checks, and up if it
 * fails fewer, whatever its status was before. Between the two, the status stays (hysteresis).
 */
const FAILING = 3;
const PASSING = 2;
/** After a recovery that ended too early, twice as many passing checks are needed, however many more of them fail. */
const RELAPSE_ROWS = 2;
/**
 * A streak of failing checks lasts until a check passes at score 0, but once it is older than this many rechecks, only until its score is 0: what
 * fails every third check for days must not count as one streak.
 */
const MOST_RECHECKS = 6;
/** A streak is long enough if it lasted this share of the required time, because timers and clocks differ a little. */
const TOLERANCE = 0.9;
/** While a monitor is down or flaps it is checked every half interval, but not more often than this. */
const SHORTEST_WHILE_DOWN_MS = 30_000;

const latest = (a: Date, b: Date) => (a > b ? a : b);
const msBetween = (from: Date, to: Date) => to.getTime() - from.getTime();

/** Sets the status to `to` since `since`. If it already has that status, only the counters are reset. */
function settle({ status, openIncident, noiseUntil }: WatchState, to: MonitorStatus, since: Date): Decision {
  return {
    counted: SETTLED,
    status: to,
    since: to === status ? null : since,
    confirmInMs: null,
    openIncident,
    incidents: [],
    changedAt: null,
    noiseUntil,
  };
}

/** Keeps the status while a change of it is counted. */
function count(state: WatchState, counted: Partial<Counted>, confirmInMs: number): Decision {
  return { ...settle(state, state.status, state.statusSince), counted: { ...SETTLED, ...counted }, confirmInMs };
}

/** Returns the counters after a time without checks: resets all, except for a score below 0 after a recovery that ended too early. */
const settledAfter = ({ recoveries }: WatchState): Counted => ({ ...SETTLED, recoveries: Math.min(0, recoveries) });

/** Returns the wait until the next check of a monitor that is down, in milliseconds. */
const whileDownMs = ({ intervalSeconds, everyMs }: Policy) =>
  everyMs ?? Math.max(SHORTEST_WHILE_DOWN_MS, (intervalSeconds * 1000) / 2);

/** Returns the interval of the rechecks that confirm a change, in milliseconds. */
const retryDelayOf = ({ status }: WatchState, { retryDelayMs }: Policy) =>
  status === 'pending' ? Math.min(retryDelayMs, PENDING_RETRY_MS) : retryDelayMs;

/**
 * Returns whether a streak has enough checks and lasted long enough, so that one short disturbance never makes up the whole streak, even at a short
 * interval.
 */
function isEnough(row: { checks: number; needed: number; lastedMs: number }, delayMs: number): boolean {
  return row.checks >= row.needed && row.lastedMs >= (row.needed - 1) * delayMs * TOLERANCE;
}

/**
 * Returns whether a monitor is down, or was down before its status became unknown. An open downtime alone does not show that, because a flapping
 * monitor's stays open while it is up.
 */
export function isBelievedDown({
  status,
  openIncident,
  steadySince,
  changes,
}: Pick<WatchState, 'status' | 'openIncident' | 'steadySince' | 'changes'>): boolean {
  if (status === 'down' || openIncident !== 'downtime') return status === 'down';
  return steadySince === null || (status === 'unknown' && !wasUpWhileFlapping(changes));
}

/** Returns the score of a recovery after a failing check: below 0 after a recovery that ended too early. The monitor is up once it reaches 0. */
function afterRelapse(recoveries: number, policy: Policy): number {
  const row = PASSING * policy.recoveries;
  if (recoveries > 0) return -RELAPSE_ROWS * row;
  return recoveries < 0 ? Math.max(-RELAPSE_ROWS * row, recoveries - FAILING) : 0;
}

/** Decides a failing check during a downtime. If the status has become unknown meanwhile, the monitor is down again at once. */
function decideStillDown(state: WatchState, seen: Seen, policy: Policy): Decision {
  const startedAt = state.status === 'down' ? state.statusSince : seen.at;
  const cause = seen.error ?? 'The check failed';
  // If a user resolved the incident while the downtime lasts, another one opens with the start of the downtime.
  const opens: IncidentChange[] =
    state.openIncident === 'downtime' ? [] : [{ kind: 'open', type: 'downtime', startedAt, cause }];
  return {
    ...settle(state, 'down', startedAt),
    counted: { ...SETTLED, recoveries: afterRelapse(state.recoveries, policy) },
    confirmInMs: whileDownMs(policy),
    openIncident: 'downtime',
    incidents: opens,
  };
}

/**
 * Returns how long a failing check waited for its target if that is as long as until the next recheck, and otherwise 0. The check counts as that
 * recheck too, since what hangs needs no third check to show it; but not the first one of a streak, which lost packets can explain.
 */
const waitedInStead = ({ failures }: WatchState, { tookMs = 0 }: Seen, delayMs: number) =>
  failures > 0 && tookMs >= delayMs * TOLERANCE ? tookMs : 0;

/** Decides a failing check of a monitor that is not down: counts it, or opens a downtime once enough checks failed. */
function decideFailing(state: WatchState, seen: Seen, policy: Policy): Decision {
  const failures = state.failures + FAILING;
  const delayMs = retryDelayOf(state, policy);
  // What fails two of five checks can be counted for days.
  const longestMs = (MOST_RECHECKS + NOISY_FACTOR * policy.failures) * delayMs;
  const turnedAt = latest(state.turnedAt ?? seen.at, new Date(seen.at.getTime() - longestMs));
  const factor = noisyUntil(state, seen.at, policy) ? NOISY_FACTOR : 1;
  const waitedMs = policy.isAdaptive && factor === 1 ? waitedInStead(state, seen, delayMs) : 0;
  const checks = failures / FAILING + (waitedMs > 0 ? 1 : 0);
  const lastedMs = msBetween(turnedAt, seen.at) + waitedMs;
  if (!isEnough({ checks, needed: policy.failures, lastedMs }, factor * delayMs)) {
    // A failing check ends a streak of slow checks, but not one of fast checks: one now and then would keep the monitor degraded.
    const { latencyStreak, latencyTurnedAt } = countsAsDegraded(state) ? state : NO_STREAK;
    return count(state, { failures, turnedAt, latencyStreak, latencyTurnedAt }, delayMs);
  }
  // The streak may have begun before the present status if slow checks are among the failing ones.
  const startedAt = latest(turnedAt, state.statusSince);
  const message = 'The monitor went down.';
  const ends: IncidentChange[] =
    state.openIncident === 'degraded' ? [{ kind: 'supersede', resolvedAt: startedAt, message }] : [];
  const cause = seen.error ?? 'The check failed';
  const opens: IncidentChange[] =
    state.openIncident === 'downtime' ? [] : [{ kind: 'open', type: 'downtime', startedAt, cause }];
  return {
    ...settle(state, 'down', startedAt),
    confirmInMs: whileDownMs(policy),
    openIncident: 'downtime',
    incidents: [...ends, ...opens],
    changedAt: startedAt,
  };
}

/** Decides an answered check during a downtime: counts it, or resolves the downtime once enough checks passed. */
function decideRecovering(state: WatchState, seen: Seen, policy: Policy): Decision {
  const recoveries = state.recoveries + PASSING;
  const turnedAt = state.turnedAt ?? seen.at;
  // Degraded is decided for a monitor that is up, by slow checks that may have begun before.
  const { latencyStreak, latencyTurnedAt } = countLatency(state, seen, policy.degraded && Number.POSITIVE_INFINITY);
  const lastedMs = seen.at.getTime() - turnedAt.getTime();
  const hasRecovered =
    state.recoveries < 0
      ? recoveries >= 0
      : isEnough({ checks: recoveries / PASSING, needed: policy.recoveries, lastedMs }, policy.retryDelayMs);
  if (!hasRecovered) {
    return count(state, { recoveries, turnedAt, latencyStreak, latencyTurnedAt }, policy.retryDelayMs);
  }
  // Not before the downtime began, even if the clock was set back meanwhile.
  const since = latest(turnedAt, state.statusSince);
  const message = 'Checks are passing again.';
  const up = settle(state, policy.degraded === null ? seen.status : 'up', since);
  return {
    ...up,
    counted: { ...SETTLED, latencyStreak, latencyTurnedAt },
    confirmInMs: latencyStreak > 0 ? LATENCY_RECHECK_MS : null,
    openIncident: null,
    incidents: state.openIncident ? [{ kind: 'resolve', resolvedAt: since, message }] : [],
    changedAt: since,
    noiseUntil: afterDowntime(state, msBetween(state.statusSince, since)),
  };
}

/** Returns whether a streak of failing checks is over: with a check that passes at score 0, or at once if it is old. */
function isStreakOver({ failures, turnedAt }: WatchState, left: number, seen: Seen, { retryDelayMs }: Policy): boolean {
  const isOld = turnedAt === null || msBetween(turnedAt, seen.at) >= MOST_RECHECKS * retryDelayMs;
  return isOld ? left === 0 : failures === 0;
}

/**
 * Decides an answered check of a monitor that is not down: lowers the score of failures, and starts or ends "degraded". The streak of failing checks
 * outlasts one check at score 0, so that a service which fails for half a minute at a time does not start anew with each failure.
 */
function decideAnswering(state: WatchState, seen: Seen, policy: Policy): Decision {
  const { isDegraded, since, ...streak } = countLatency(state, seen, policy.degraded);
  const settled = settle(state, isDegraded ? 'degraded' : 'up', since ?? seen.at);
  const failures = Math.max(0, state.failures - PASSING);
  const isOver = isStreakOver(state, failures, seen, policy);
  const turnedAt = isOver ? null : state.turnedAt;
  const latencyRecheckMs = streak.latencyStreak > 0 ? LATENCY_RECHECK_MS : null;
  const decision = {
    ...settled,
    counted: { ...SETTLED, failures, turnedAt, ...streak },
    confirmInMs: turnedAt ? retryDelayOf(state, policy) : latencyRecheckMs,
    noiseUntil: isOver && state.turnedAt ? afterShortFailure(state, seen.at, policy) : state.noiseUntil,
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
  const isDown = isBelievedDown(state);
  switch (seen.status) {
    case 'down':
      return isDown ? decideStillDown(state, seen, policy) : decideFailing(state, seen, policy);
    case 'up':
    case 'degraded':
      return isDown ? decideRecovering(state, seen, policy) : decideAnswering(state, seen, policy);
    case 'unknown':
      return { ...settle(state, 'unknown', seen.at), counted: settledAfter(state) };
    default:
      return seen.status satisfies never;
  }
}

/** Returns since when checks that contradict the status are counted; null if the score is 0, even before a streak of failing checks ends. */
export const contradictedSince = ({ turnedAt, failures, recoveries }: Omit<Counted, keyof typeof NO_STREAK>) =>
  failures === 0 && recoveries === 0 ? null : turnedAt;

/** Returns whether no check that contradicts the status is counted. */
export const isSettled = (counted: Parameters<typeof contradictedSince>[0]) => contradictedSince(counted) === null;

/** Returns the start of a gap without checks that ends with this check; null if there is none. */
export function gapStart(
  { status, lastCheckedAt }: Pick<WatchState, 'status' | 'lastCheckedAt'>,
  seen: Pick<Seen, 'at'>,
  policy: Watch,
): Date | null {
  if (!lastCheckedAt || status === 'pending' || status === 'unknown') return null;
  const known = watchedUntil(policy, lastCheckedAt);
  return known < seen.at ? known : null;
}

/**
 * Returns the state after a check, when the next one is due, how the monitor's spans change, and which incidents open or end. Every change is dated
 * back to the first check of its streak. After a gap without checks, the status in between is unknown and all streaks start again. A check older
 * than the last one only keeps a running confirmation due soon.
 * @param now when the result is taken, not before its check was due
 */
export function transition(state: WatchState, seen: Seen, usual: Policy, now: Date): Transition {
  const policy = policyWhileFlapping(usual, state);
  const { intervalSeconds } = policy;
  const regular = nextDue(policy, now).getTime();
  const dueWithin = (ms: number | null) => {
    if (ms === null) return new Date(regular);
    const pausedUntil = now.getTime() + Math.min(ms, SHORTEST_PAUSE_MS);
    return new Date(Math.min(Math.max(seen.at.getTime() + ms, pausedUntil), regular));
  };
  if (state.lastCheckedAt && seen.at < state.lastCheckedAt) {
    return { state, dueAt: dueWithin(state.turnedAt ? policy.retryDelayMs : null), spans: [], incidents: [] };
  }
  const gap = gapStart(state, seen, policy);
  const before = gap ? { ...state, ...settledAfter(state) } : state;
  const unknownSince = gap ?? (state.status === 'unknown' ? state.lastCheckedAt : null);
  const { counted, status, since: changed, confirmInMs, noiseUntil, ...step } = decide(before, seen, policy);
  const { incidents, endsAt, ...held } = countChanges(before, step, {
    at: seen.at,
    error: seen.error,
    intervalSeconds,
    flapChanges: policy.flapChanges,
    countsRelapses: policy.countsRelapses,
    status,
    unknownMs: unknownSince ? seen.at.getTime() - unknownSince.getTime() : 0,
    isSettled: isSettled(counted),
    isDisputed: seen.isDisputed ?? false,
    isFailing: seen.isFailing ?? false,
    upSince: seen.upSince ?? (before.status === 'down' && seen.status === 'down' ? before.turnedAt : null),
  });
  const since = changed ?? (gap ? seen.at : null);
  const hasBegun = held.steadySince !== null && state.steadySince === null;
  const soonMs = hasBegun ? whileDownMs(policyWhileFlapping(usual, held)) : (confirmInMs ?? policy.everyMs ?? null);
  const spans: SpanStart[] = since ? [{ status, startedAt: since }] : [];
  return {
    state: { ...counted, ...held, status, statusSince: since ?? state.statusSince, lastCheckedAt: seen.at, noiseUntil },
    dueAt: dueWithin(endsAt ? Math.min(soonMs ?? whileDownMs(policy), msBetween(seen.at, endsAt)) : soonMs),
    spans: gap ? [{ status: 'unknown', startedAt: gap }, ...spans] : spans,
    incidents,
  };
}
