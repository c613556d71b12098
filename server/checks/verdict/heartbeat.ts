import type { Verdict } from '@/server/monitors/probing/observation';
import { nextRun } from '@/server/monitors/types/heartbeat/cron';
import { type Policy, type Transition, transition, type WatchState } from './transition';

/** What happens to a heartbeat: a ping of some kind, or a look at the clock when one should have come. */
export type Beat = { kind: 'start' } | { kind: 'success' } | { kind: 'fail'; error: string } | { kind: 'look' };

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
/** A look this late tells that nobody was there to take a ping: the fault may be ours. */
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

/**
 * What a ping, or a look, makes of a heartbeat. Pure. A failure is down at once, a success up at once; a start decides
 * nothing but when the run must have ended. A look decides by what is stored, so that a ping that came meanwhile counts.
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
  /** A ping that was overtaken by a look still is the news. */
  const seenAt = state.lastCheckedAt && state.lastCheckedAt > at ? state.lastCheckedAt : at;
  const settle = (verdict: Verdict, next: BeatState, latencyMs: number | null): BeatChange => {
    const change = transition(state, { ...verdict, at: seenAt }, policy, now);
    const dueAt = nextLook(change.state.status, next, schedule, now);
    return { change: { ...change, dueAt }, beat: next, seen: { ...verdict, at: seenAt, latencyMs } };
  };
  const ended = { expectedSince: at, runStartedAt: null };
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
      if (state.status !== 'down' && lateMs > LATE_MS) {
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
