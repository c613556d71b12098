// Our rules for heartbeats, through the function that pings and looks at the clock are decided with.
import { FLAP_CHANGES_OF_PINGS } from '@/server/checks/verdict/flapping';
import { applyPing, type HeartbeatEvent, type HeartbeatState } from '@/server/checks/verdict/heartbeat';
import type { Policy, WatchState } from '@/server/checks/verdict/types';
import { toWatch } from '@/server/history/watch';
import { Account, atOf, dateAt, fresh } from './account';
import { awake, type Replayed } from './replay';
import { type Job, SECOND, type Trace, within } from './traces';

/** Web processes report every two seconds that they receive pings, so the start of their absence is known to that precision. */
const SAID_EVERY_MS = 2 * SECOND;

/** Checks for silence when that is due, and applies pings at once. While Upwatch is away, pings are lost. */
export function replayJob(trace: Trace, { pings, periodSeconds: intervalSeconds, graceSeconds }: Job): Replayed {
  const account = new Account();
  const schedule = { intervalSeconds, cron: null, timezone: 'UTC', graceSeconds };
  const row = { intervalSeconds, config: { graceSeconds }, watchChangedAt: null, formerWatchMs: null };
  const confirm = { failures: 1, recoveries: 1, retryDelayMs: 0, degraded: null, isAdaptive: false };
  const flapping = { flapChanges: FLAP_CHANGES_OF_PINGS, countsRelapses: false };
  const policy: Policy = { monitorNum: 1, intervalSeconds, ...toWatch(row), ...confirm, ...flapping };
  let state: WatchState & HeartbeatState = { ...fresh(), expectedSince: null, runStartedAt: null };
  let dueAt: number | null = null;
  const take = (event: HeartbeatEvent, at: number, lateMs: number) => {
    const moment = { at: dateAt(at), now: dateAt(at), lateMs };
    const { change, heartbeat: next } = applyPing(state, event, moment, policy, schedule);
    state = { ...change.state, ...next };
    dueAt = change.dueAt && atOf(change.dueAt);
    account.take(change.incidents, change.spans, at, at);
  };
  const gapsAt = (at: number) =>
    trace.asleep
      .filter(({ from }) => from <= at)
      .map(({ from, to }) => ({ from: dateAt(from - SAID_EVERY_MS), to: dateAt(Math.min(to, at)) }));
  const lookUntil = (end: number) => {
    for (let due = dueAt; due !== null; due = dueAt) {
      const at = awake(trace, due);
      if (at >= end) break;
      take({ kind: 'silence', gaps: gapsAt(at) }, at, at - due);
    }
  };
  for (const ping of pings) {
    lookUntil(ping);
    if (!trace.asleep.some((away) => within(away, ping))) take({ kind: 'success' }, ping, 0);
  }
  lookUntil(trace.ms);
  return account.end(trace.ms);
}
