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
 * What happens to a heartbeat: a ping of some kind, or a look at the clock when one should have come. `gaps` are in the
 * order of time; left out where nobody knows when pings could be received.
 */
export type Beat =
  | { kind: 'start' }
  | { kind: 'success' }
  | { kind: 'fail'; error: string }
  | { kind: 'look'; gaps?: Gap[] };

/** What a heartbeat's next verdict depends on beside the `WatchState`. */
export interface BeatState {
  /** From when on the next ping is awaited; null until the first one came. */
  expectedSince: Date | null;
  /** When a run began that has not ended. */
  runStartedAt: Date | null;
}

export interface BeatSchedule {
  intervalSeconds: number;
  cron: string | null;
  timezone: string;
  graceSeconds: number;
}

export interface BeatChange {
  /** As for a check, but `dueAt` is when to look next, null while there is nothing to wait for. */
  change: Omit<Transition, 'dueAt'> & { dueAt: Date | null };
  beat: BeatState;
  /** What is kept as a check, and the time of it; null where there is nothing to keep. */
  seen: (Verdict & { at: Date; latencyMs: number | null }) | null;
}

/** A ping that comes this much before its time, by clocks that differ a little, counts for that time. */
const EARLY_MS = 10_000;
/** Where gaps are not known, a look this late tells that nobody was there to take a ping: the fault may be ours. */
const LATE_MS = 60_000;
/** While a heartbeat is down it is looked at now and then, so that it is known to have been watched. */
const SHORTEST_RELOOK_SECONDS = 60;
const LONGEST_RELOOK_SECONDS = 3_600;

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

function expectedAfter({ cron, timezone, intervalSeconds }: BeatSchedule, since: Date): Date {
  if (cron === null) return later(since, intervalSeconds);
  return nextRun(cron, timezone, new Date(since.getTime() + EARLY_MS)) ?? later(since, intervalSeconds);
}

/** When a ping must have come, or a run must have ended; null while nothing is awaited. */
export function deadlineOf({ expectedSince, runStartedAt }: BeatState, schedule: BeatSchedule): Date | null {
  const ping = expectedSince && later(expectedAfter(schedule, expectedSince), schedule.graceSeconds);
  const run = runStartedAt && later(runStartedAt, schedule.graceSeconds);
  return ping && run ? new Date(Math.min(ping.getTime(), run.getTime())) : (ping ?? run);
}

/** When the next ping is awaited whose whole time begins after a gap, and how many periods that is after the last one. */
function expectedBeyond(schedule: BeatSchedule, expected: Date, gap: Gap, earlyMs: number): [Date, number] {
  if (schedule.cron !== null) return [expectedAfter(schedule, gap.to), 0];
  const intervalMs = schedule.intervalSeconds * 1000;
  const periods = Math.max(1, Math.ceil((gap.to.getTime() + earlyMs - expected.getTime()) / intervalMs));
  return [later(expected, periods * schedule.intervalSeconds), periods];
}

/**
 * Until when a silence may be ours: a job does not repeat a ping that nobody received, so a ping whose time overlaps a
 * gap is not awaited, but the next one is. A ping may come as much early as late, by half an interval at most; and a job
 * may be late by its grace period in each period, by an interval at most. Null: there is no further ping to await.
 */
export function excusedUntil(beat: BeatState, schedule: BeatSchedule, gaps: Gap[]): { until: Date | null; gap?: Gap } {
  const { expectedSince, runStartedAt } = beat;
  const { graceSeconds, intervalSeconds, cron } = schedule;
  const runGap =
    runStartedAt && gaps.find(({ from, to }) => from < later(runStartedAt, graceSeconds) && to > runStartedAt);
  if (!expectedSince) return runGap ? { until: null, gap: runGap } : { until: deadlineOf(beat, schedule) };
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

function missed({ expectedSince, runStartedAt }: BeatState, deadline: Date, { graceSeconds }: BeatSchedule): string {
  if (runStartedAt && later(runStartedAt, graceSeconds) <= deadline) {
    return `The run that started at ${stamp(runStartedAt)} did not finish within ${graceSeconds} s`;
  }
  return `No ping received from ${stamp(expectedSince ?? deadline)} to ${stamp(deadline)}`;
}

function nextLook(status: WatchState['status'], beat: BeatState, schedule: BeatSchedule, now: Date): Date | null {
  if (status !== 'down') return deadlineOf(beat, schedule);
  const every = Math.min(Math.max(schedule.intervalSeconds, SHORTEST_RELOOK_SECONDS), LONGEST_RELOOK_SECONDS);
  return later(now, every);
}

/** Nothing has changed but, perhaps, what is awaited. */
function stay(state: WatchState, beat: BeatState, schedule: BeatSchedule, now: Date): BeatChange {
  const dueAt = nextLook(state.status, beat, schedule, now);
  return { change: { state, dueAt, spans: [], incidents: [] }, beat, seen: null };
}

const latest = (at: Date, ...others: (Date | null)[]) =>
  others.reduce<Date>((last, other) => (other && other > last ? other : last), at);

/** Whether a later ping has said what a ping of `at` says: how a run ended, or that another one has begun. */
function isOvertaken({ expectedSince, runStartedAt }: BeatState, beat: Beat, at: Date): boolean {
  const isEnded = expectedSince !== null && expectedSince >= at;
  return isEnded || (beat.kind === 'start' && runStartedAt !== null && runStartedAt >= at);
}

/**
 * What a ping, or a look, makes of a heartbeat. Pure. A failure is down at once, a success up at once; a start decides
 * nothing but when the run must have ended. A look decides by what is stored, so that a ping that came meanwhile counts,
 * and by when pings could be received: a silence that may be ours is unknown until the next ping is overdue.
 *
 * @param at when it happened
 * @param now when it is taken
 * @param lateMs how long after its time a look is made
 */
export function applyPing(
  state: WatchState & BeatState,
  beat: Beat,
  { at, now, lateMs }: { at: Date; now: Date; lateMs: number },
  policy: Policy,
  schedule: BeatSchedule,
): BeatChange {
  const { expectedSince, runStartedAt } = state;
  /** A ping that was overtaken by a look still is the news, in the status as it is by now. */
  const seenAt = latest(at, state.statusSince, state.lastCheckedAt);
  const settle = (verdict: Verdict, next: BeatState, latencyMs: number | null): BeatChange => {
    const change = transition(state, { ...verdict, at: seenAt }, policy, now);
    const dueAt = nextLook(change.state.status, next, schedule, now);
    return { change: { ...change, dueAt }, beat: next, seen: { ...verdict, at: seenAt, latencyMs } };
  };
  const excuse = (gap: Gap, until: Date | null): BeatChange => {
    const error = `Upwatch could not receive pings from ${stamp(gap.from)} to ${stamp(gap.to)}`;
    const kept = { expectedSince, runStartedAt };
    const excused =
      state.status === 'unknown' ? stay(state, kept, schedule, now) : settle({ status: 'unknown', error }, kept, null);
    return { ...excused, change: { ...excused.change, dueAt: until } };
  };
  // A ping that was kept while the database was away changes nothing that later pings have said.
  const isKept = beat.kind !== 'look' && at < now;
  if (isKept && isOvertaken(state, beat, at)) return stay(state, { expectedSince, runStartedAt }, schedule, now);
  const ended = { expectedSince: at, runStartedAt: isKept && runStartedAt && runStartedAt > at ? runStartedAt : null };
  const runMs = runStartedAt && Math.max(0, at.getTime() - runStartedAt.getTime());
  switch (beat.kind) {
    case 'start':
      return stay(state, { expectedSince, runStartedAt: at }, schedule, now);
    case 'success':
      return settle({ status: 'up', error: null }, ended, runMs);
    case 'fail':
      return settle({ status: 'down', error: beat.error }, ended, runMs);
    case 'look': {
      const deadline = deadlineOf(state, schedule);
      if (!deadline || at < deadline) return stay(state, { expectedSince, runStartedAt }, schedule, now);
      if (beat.gaps && state.status !== 'down') {
        const { until, gap } = excusedUntil(state, schedule, beat.gaps);
        if (gap && (until === null || at < until)) return excuse(gap, until);
      } else if (state.status !== 'down' && lateMs > LATE_MS) {
        return settle({ status: 'unknown', error: 'Upwatch was not running when the ping was due' }, ended, null);
      }
      const error = missed(state, deadline, schedule);
      const told = settle({ status: 'down', error }, { expectedSince, runStartedAt }, null);
      return state.status === 'down' ? { ...told, seen: null } : told;
    }
    default:
      return beat satisfies never;
  }
}
