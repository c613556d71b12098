import { nextRun } from '@/server/monitor-types/heartbeat/cron';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import { transition } from './transition';
import type { Policy, Transition, WatchState } from './types';

/** A time in which no ping could be received, by the database's clock. */
export interface Gap {
  from: Date;
  to: Date;
}

/**
 * An event of a heartbeat: a ping of some kind, or a check for silence. `gaps` are in chronological order; undefined if it is unknown when pings
 * could be received.
 */
export type HeartbeatEvent =
  | { kind: 'start' }
  | { kind: 'success' }
  | { kind: 'fail'; error: string }
  | { kind: 'silence'; gaps?: Gap[] };

/** The state of a heartbeat that its next verdict depends on, besides the `WatchState`. */
export interface HeartbeatState {
  /** From when on the next ping is expected; null before the first one. */
  expectedSince: Date | null;
  /** When the unfinished run began; null if there is none. */
  runStartedAt: Date | null;
}

export interface HeartbeatSchedule {
  intervalSeconds: number;
  cron: string | null;
  timezone: string;
  graceSeconds: number;
}

export interface HeartbeatChange {
  /** Like for a check, but `dueAt` is the next check for silence; null if nothing is expected. */
  change: Omit<Transition, 'dueAt'> & { dueAt: Date | null };
  heartbeat: HeartbeatState;
  /** What is stored as a check; null if nothing is. */
  seen: (Verdict & { at: Date; latencyMs: number | null }) | null;
}

/** A ping that arrives up to this early counts for the next time of a cron schedule, because clocks differ a little. */
const EARLY_MS = 10_000;
/** If gaps are unknown, a check for silence that is this late means that the worker was not running, so the cause may be ours. */
const LATE_MS = 60_000;
/** The bounds of the check interval while a heartbeat is down. The checks show that it is still monitored. */
const SHORTEST_RECHECK_SECONDS = 60;
const LONGEST_RECHECK_SECONDS = 3_600;

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/** Returns when the next ping after one at `since` is expected. */
function expectedAfter({ cron, timezone, intervalSeconds }: HeartbeatSchedule, since: Date): Date {
  if (cron === null) return later(since, intervalSeconds);
  return nextRun(cron, timezone, new Date(since.getTime() + EARLY_MS)) ?? later(since, intervalSeconds);
}

/** Returns when a ping must have arrived, or a run must have ended; null if nothing is expected. */
export function deadlineOf({ expectedSince, runStartedAt }: HeartbeatState, schedule: HeartbeatSchedule): Date | null {
  const ping = expectedSince && later(expectedAfter(schedule, expectedSince), schedule.graceSeconds);
  const run = runStartedAt && later(runStartedAt, schedule.graceSeconds);
  return ping && run ? new Date(Math.min(ping.getTime(), run.getTime())) : (ping ?? run);
}

/** Returns the first expected time whose tolerance begins after a gap, and how many periods it is after `expected` (0 for a cron schedule). */
function expectedBeyond(schedule: HeartbeatSchedule, expected: Date, gap: Gap, earlyMs: number): [Date, number] {
  if (schedule.cron !== null) return [expectedAfter(schedule, gap.to), 0];
  const intervalMs = schedule.intervalSeconds * 1000;
  const periods = Math.max(1, Math.ceil((gap.to.getTime() + earlyMs - expected.getTime()) / intervalMs));
  return [later(expected, periods * schedule.intervalSeconds), periods];
}

/**
 * Returns until when gaps may be the reason for silence. A job does not repeat a ping that could not be received, so a ping whose tolerance overlaps
 * a gap is not expected, but the next one is. A ping may be early by its grace period, at most by half an interval. A job may be late by its grace
 * period in each period, in total by at most one interval more.
 * @returns `until`: null if no further ping is expected; `gap`: the last gap that may be the reason, without it `until` is the usual deadline
 */
export function excusedUntil(
  heartbeat: HeartbeatState,
  schedule: HeartbeatSchedule,
  gaps: Gap[],
): { until: Date | null; gap?: Gap } {
  const { expectedSince, runStartedAt } = heartbeat;
  const { graceSeconds, intervalSeconds, cron } = schedule;
  const runGap =
    runStartedAt && gaps.find(({ from, to }) => from < later(runStartedAt, graceSeconds) && to > runStartedAt);
  if (!expectedSince) return runGap ? { until: null, gap: runGap } : { until: deadlineOf(heartbeat, schedule) };
  const earlyMs = cron === null ? Math.min(graceSeconds, intervalSeconds / 2) * 1000 : EARLY_MS;
  const first = expectedAfter(schedule, expectedSince);
  let awaited = { from: Math.max(expectedSince.getTime(), first.getTime() - earlyMs), to: later(first, graceSeconds) };
  let excuse = runGap ?? undefined;
  for (const gap of gaps) {
    if (gap.to.getTime() <= awaited.from || gap.from >= awaited.to) continue;
    const [next, periods] = expectedBeyond(schedule, first, gap, earlyMs);
    const late = Math.min(graceSeconds * (periods + 1), graceSeconds + intervalSeconds);
    awaited = { from: next.getTime() - earlyMs, to: later(next, late) };
    excuse = gap;
  }
  const run = runStartedAt && !runGap ? later(runStartedAt, graceSeconds) : null;
  if (run && run < awaited.to) return { until: run };
  return excuse ? { until: awaited.to, gap: excuse } : { until: awaited.to };
}

const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Describes a missing ping or an unfinished run, for the cause of an incident. */
function missed(
  { expectedSince, runStartedAt }: HeartbeatState,
  deadline: Date,
  { graceSeconds }: HeartbeatSchedule,
): string {
  if (runStartedAt && later(runStartedAt, graceSeconds) <= deadline) {
    return `The run that started at ${stamp(runStartedAt)} did not finish within ${graceSeconds} s`;
  }
  return `No ping received from ${stamp(expectedSince ?? deadline)} to ${stamp(deadline)}`;
}

function nextSilenceCheck(
  status: WatchState['status'],
  heartbeat: HeartbeatState,
  schedule: HeartbeatSchedule,
  now: Date,
): Date | null {
  if (status !== 'down') return deadlineOf(heartbeat, schedule);
  const every = Math.min(Math.max(schedule.intervalSeconds, SHORTEST_RECHECK_SECONDS), LONGEST_RECHECK_SECONDS);
  return later(now, every);
}

/** Keeps the status; only what is expected may change. */
function stay(state: WatchState, heartbeat: HeartbeatState, schedule: HeartbeatSchedule, now: Date): HeartbeatChange {
  const dueAt = nextSilenceCheck(state.status, heartbeat, schedule, now);
  return { change: { state, dueAt, spans: [], incidents: [] }, heartbeat, seen: null };
}

const latest = (at: Date, ...others: (Date | null)[]) =>
  others.reduce<Date>((last, other) => (other && other > last ? other : last), at);

/** Returns whether a later ping supersedes a ping of `at`: the run has ended, or another one has begun. */
function isOvertaken({ expectedSince, runStartedAt }: HeartbeatState, event: HeartbeatEvent, at: Date): boolean {
  const isEnded = expectedSince !== null && expectedSince >= at;
  return isEnded || (event.kind === 'start' && runStartedAt !== null && runStartedAt >= at);
}

/**
 * Applies an event to a heartbeat. Pure. A failure is down at once, a success is up at once; a start only sets when the run must have ended. A
 * check for silence uses the stored state, so that a ping that arrived meanwhile counts, and the gaps: silence that may be our fault is unknown
 * until the next ping is overdue.
 * @param at when the event happened
 * @param now when it is decided
 * @param lateMs how long after its due time a check for silence runs
 */
export function applyPing(
  state: WatchState & HeartbeatState,
  event: HeartbeatEvent,
  { at, now, lateMs }: { at: Date; now: Date; lateMs: number },
  policy: Policy,
  schedule: HeartbeatSchedule,
): HeartbeatChange {
  const { expectedSince, runStartedAt } = state;
  // A ping that arrived before the last check for silence still counts, but is dated no earlier than that check and the present status.
  const seenAt = latest(at, state.statusSince, state.lastCheckedAt);
  const settle = (verdict: Verdict, next: HeartbeatState, latencyMs: number | null): HeartbeatChange => {
    const change = transition(state, { ...verdict, at: seenAt }, policy, now);
    const dueAt = nextSilenceCheck(change.state.status, next, schedule, now);
    return { change: { ...change, dueAt }, heartbeat: next, seen: { ...verdict, at: seenAt, latencyMs } };
  };
  const excuse = (gap: Gap, until: Date | null): HeartbeatChange => {
    const error = `Upwatch could not receive pings from ${stamp(gap.from)} to ${stamp(gap.to)}`;
    const kept = { expectedSince, runStartedAt };
    const excused =
      state.status === 'unknown' ? stay(state, kept, schedule, now) : settle({ status: 'unknown', error }, kept, null);
    return { ...excused, change: { ...excused.change, dueAt: until } };
  };
  // A ping that was kept while the database was unreachable does not change what later pings have set.
  const isKept = event.kind !== 'silence' && at < now;
  if (isKept && isOvertaken(state, event, at)) return stay(state, { expectedSince, runStartedAt }, schedule, now);
  const ended = { expectedSince: at, runStartedAt: isKept && runStartedAt && runStartedAt > at ? runStartedAt : null };
  const runMs = runStartedAt && Math.max(0, at.getTime() - runStartedAt.getTime());
  switch (event.kind) {
    case 'start':
      return stay(state, { expectedSince, runStartedAt: at }, schedule, now);
    case 'success':
      return settle({ status: 'up', error: null }, ended, runMs);
    case 'fail':
      return settle({ status: 'down', error: event.error }, ended, runMs);
    case 'silence': {
      const deadline = deadlineOf(state, schedule);
      if (!deadline || at < deadline) return stay(state, { expectedSince, runStartedAt }, schedule, now);
      if (event.gaps && state.status !== 'down') {
        const { until, gap } = excusedUntil(state, schedule, event.gaps);
        if (gap && (until === null || at < until)) return excuse(gap, until);
      } else if (state.status !== 'down' && lateMs > LATE_MS) {
        return settle({ status: 'unknown', error: 'Upwatch was not running when the ping was due' }, ended, null);
      }
      const error = missed(state, deadline, schedule);
      const missedPing = settle({ status: 'down', error }, { expectedSince, runStartedAt }, null);
      return state.status === 'down' ? { ...missedPing, seen: null } : missedPing;
    }
    default:
      return event satisfies never;
  }
}
