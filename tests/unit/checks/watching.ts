import { transition } from '@/server/checks/verdict/transition';
import type { Policy, Seen, Transition, WatchState } from '@/server/checks/verdict/types';

const START = Date.parse('2026-05-01T10:00:00Z');
/** This many seconds after the start time of all tables. */
export const second = (n: number) => new Date(START + n * 1000);

/** A check a minute; two failures until down, one success until up, three slow checks until degraded. */
export const policy: Policy = {
  monitorNum: 1,
  intervalSeconds: 60,
  watchedForMs: 130_000,
  watchChanged: null,
  failures: 2,
  recoveries: 1,
  retryDelayMs: 2_000,
  degraded: 3,
  flapChanges: 3,
  countsRelapses: false,
  isAdaptive: false,
};

/** A monitor that has been up for an hour and was last checked a minute before the start. */
export function state(changes: Partial<WatchState> = {}): WatchState {
  return {
    status: 'up',
    statusSince: second(-3600),
    failures: 0,
    recoveries: 0,
    turnedAt: null,
    latencyStreak: 0,
    latencyTurnedAt: null,
    openIncident: null,
    changes: [],
    steadySince: null,
    lastCheckedAt: second(-60),
    noiseUntil: null,
    ...changes,
  };
}

export const up = (at: number): Seen => ({ status: 'up', error: null, at: second(at) });
export const nearlySlow = (at: number): Seen => ({ ...up(at), isNearlySlow: true });
export const down = (at: number): Seen => ({ status: 'down', error: 'Connection refused', at: second(at) });
export const degraded = (at: number): Seen => ({ status: 'degraded', error: 'slow', at: second(at) });
export const unknown = (at: number): Seen => ({ status: 'unknown', error: 'no network', at: second(at) });

/** Runs a check that takes a tenth of a second. */
export function step(from: WatchState, seen: Seen, rules: Partial<Policy> = {}): Transition {
  return transition(from, seen, { ...policy, ...rules }, new Date(seen.at.getTime() + 100));
}

/** Runs checks in sequence. @returns the last decision, and all incident changes */
export function run(from: WatchState, checks: Seen[], rules: Partial<Policy> = {}) {
  const start: Transition = { state: from, dueAt: second(0), spans: [], incidents: [] };
  const each: Transition[] = [];
  for (const seen of checks) each.push(step((each.at(-1) ?? start).state, seen, rules));
  return { last: each.at(-1) ?? start, incidents: each.flatMap(({ incidents }) => incidents) };
}
