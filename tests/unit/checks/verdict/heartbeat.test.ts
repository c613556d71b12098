import { describe, expect, it } from 'vitest';
import { FLAP_CHANGES_OF_PINGS } from '@/server/checks/verdict/flapping';
import {
  applyPing,
  deadlineOf,
  excusedUntil,
  type Gap,
  type HeartbeatEvent,
  type HeartbeatSchedule,
  type HeartbeatState,
} from '@/server/checks/verdict/heartbeat';
import type { WatchState } from '@/server/checks/verdict/types';
import { random } from '@/tests/support/random';
import { state as watchState } from '../watching';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const hourly: HeartbeatSchedule = { intervalSeconds: 3600, cron: null, timezone: 'UTC', graceSeconds: 60 };
const policy = {
  monitorNum: 1,
  intervalSeconds: 3600,
  watchedForMs: 2 * 3_600_000 + 60_000,
  watchChanged: null,
  failures: 1,
  recoveries: 1,
  retryDelayMs: 0,
  degraded: null,
  flapChanges: FLAP_CHANGES_OF_PINGS,
  countsRelapses: false,
  isAdaptive: false,
};

function state(changes: Partial<WatchState & HeartbeatState> = {}): WatchState & HeartbeatState {
  return {
    ...watchState({ statusSince: at('00:00:00'), lastCheckedAt: at('03:00:00') }),
    expectedSince: at('03:00:00'),
    runStartedAt: null,
    ...changes,
  };
}

const PENDING = { status: 'pending', lastCheckedAt: null, expectedSince: null } as const;
const DOWN = { status: 'down', openIncident: 'downtime' } as const;

function take(
  from: WatchState & HeartbeatState,
  event: HeartbeatEvent,
  time: string,
  { lateMs = 0, schedule = hourly } = {},
) {
  return applyPing(from, event, { at: at(time), now: at(time), lateMs }, policy, schedule);
}

describe('due time of a ping', () => {
  const cron = (text: string, timezone: string, graceSeconds = 60): HeartbeatSchedule => {
    return { intervalSeconds: 86_400, cron: text, timezone, graceSeconds };
  };
  const since = (iso: string): HeartbeatState => ({ expectedSince: new Date(iso), runStartedAt: null });
  it.each([
    [
      'one interval and the grace period after the last ping',
      hourly,
      since('2026-11-20T03:00:00Z'),
      '2026-11-20T04:01:00Z',
    ],
    ['at the next time of a schedule', cron('0 3 * * *', 'UTC'), since('2026-11-20T03:00:05Z'), '2026-11-21T03:01:00Z'],
    [
      'at the time after the one that a slightly early ping is for',
      cron('0 3 * * *', 'UTC'),
      since('2026-11-20T02:59:55Z'),
      '2026-11-21T03:01:00Z',
    ],
    [
      'at the same time after a ping that was a minute early',
      cron('0 3 * * *', 'UTC'),
      since('2026-11-20T02:59:00Z'),
      '2026-11-20T03:01:00Z',
    ],
    ['in winter time', cron('30 3 * * *', 'Europe/Berlin'), since('2026-10-25T12:00:00Z'), '2026-10-26T02:31:00Z'],
    ['in summer time', cron('30 3 * * *', 'Europe/Berlin'), since('2026-10-23T12:00:00Z'), '2026-10-24T01:31:00Z'],
    [
      'right after the gap, if the time is skipped',
      cron('30 2 * * *', 'Europe/Berlin'),
      since('2026-03-28T12:00:00Z'),
      '2026-03-29T01:01:00Z',
    ],
    [
      'once, if the time occurs twice',
      cron('30 2 * * *', 'Europe/Berlin'),
      since('2026-10-25T00:30:05Z'),
      '2026-10-26T01:31:00Z',
    ],
    ['over a weekend', cron('0 9 * * 1-5', 'UTC'), since('2026-11-20T09:00:02Z'), '2026-11-23T09:01:00Z'],
  ])('%s', (_name, schedule, heartbeat, deadline) => {
    expect(deadlineOf(heartbeat, schedule)).toEqual(new Date(deadline));
  });

  it('is the deadline of a run, if that is sooner', () => {
    const expectedSince = at('03:00:00');
    expect(deadlineOf({ expectedSince, runStartedAt: at('03:30:00') }, hourly)).toEqual(at('03:31:00'));
    expect(deadlineOf({ expectedSince, runStartedAt: at('04:00:30') }, hourly)).toEqual(at('04:01:00'));
    expect(deadlineOf({ expectedSince: null, runStartedAt: at('04:00:30') }, hourly)).toEqual(at('04:01:30'));
    expect(deadlineOf({ expectedSince: null, runStartedAt: null }, hourly)).toBeNull();
  });
});

describe('ping', () => {
  it('turns the monitor up if it is the first, and schedules the next', () => {
    const { change, heartbeat, seen } = take(state(PENDING), { kind: 'success' }, '03:00:00');
    expect(change).toMatchObject({
      state: { status: 'up' },
      dueAt: at('04:01:00'),
      spans: [{ status: 'up', startedAt: at('03:00:00') }],
      incidents: [],
    });
    expect(heartbeat).toEqual({ expectedSince: at('03:00:00'), runStartedAt: null });
    expect(seen).toEqual({ status: 'up', error: null, at: at('03:00:00'), latencyMs: null });
  });

  it('reports the duration of a run if it ends one', () => {
    const { seen, heartbeat } = take(state({ runStartedAt: at('03:59:30') }), { kind: 'success' }, '04:00:00');
    expect(seen?.latencyMs).toBe(30_000);
    expect(heartbeat.runStartedAt).toBeNull();
  });

  it('changes nothing but the deadline of a run if it starts one', () => {
    for (const from of [state(), state(PENDING), state({ status: 'unknown' })]) {
      const { change, heartbeat, seen } = take(from, { kind: 'start' }, '03:10:00');
      expect(change).toMatchObject({ state: from, spans: [], incidents: [], dueAt: at('03:11:00') });
      expect(heartbeat).toEqual({ expectedSince: from.expectedSince, runStartedAt: at('03:10:00') });
      expect(seen).toBeNull();
    }
  });

  it('turns the monitor down at once if it reports a failure, and up at once if it reports success', () => {
    const failed = take(state(), { kind: 'fail', error: 'The job ended with exit code 3' }, '04:00:00');
    expect(failed.change).toMatchObject({
      state: { status: 'down', openIncident: 'downtime' },
      incidents: [{ kind: 'open', startedAt: at('04:00:00'), cause: 'The job ended with exit code 3' }],
    });
    const again = take({ ...failed.change.state, ...failed.heartbeat }, { kind: 'success' }, '04:05:00');
    expect(again.change).toMatchObject({
      state: { status: 'up', openIncident: null },
      incidents: [{ kind: 'resolve', resolvedAt: at('04:05:00') }],
      dueAt: at('05:06:00'),
    });
  });

  it('still counts if a deadline check was faster', () => {
    const from = state({ ...DOWN, lastCheckedAt: at('04:01:00') });
    const late = applyPing(
      from,
      { kind: 'success' },
      { at: at('04:00:59'), now: at('04:01:01'), lateMs: 0 },
      policy,
      hourly,
    );
    expect(late.change).toMatchObject({ state: { status: 'up' }, incidents: [{ kind: 'resolve' }] });
    expect(late.seen?.at).toEqual(at('04:01:00'));
  });
});

describe('deadline check', () => {
  it('finds a missed ping', () => {
    const { change, seen } = take(state(), { kind: 'silence' }, '04:01:00');
    const error = 'No ping received from 2026-11-20 03:00:00 UTC to 2026-11-20 04:01:00 UTC';
    expect(change).toMatchObject({ state: { status: 'down' }, incidents: [{ kind: 'open', cause: error }] });
    expect(seen).toMatchObject({ status: 'down', error, latencyMs: null });
  });

  it('finds a run that did not end', () => {
    const { change } = take(state({ runStartedAt: at('03:10:00') }), { kind: 'silence' }, '03:11:00');
    expect(change.incidents[0]).toMatchObject({
      kind: 'open',
      cause: 'The run that started at 2026-11-20 03:10:00 UTC did not finish within 60 s',
    });
    expect(
      take(state({ ...PENDING, runStartedAt: at('03:10:00') }), { kind: 'silence' }, '03:11:00').change.state.status,
    ).toBe('down');
  });

  it('changes nothing before the deadline or after a ping', () => {
    const early = take(state(), { kind: 'silence' }, '04:00:59');
    expect(early).toMatchObject({
      seen: null,
      change: { state: state(), spans: [], incidents: [], dueAt: at('04:01:00') },
    });
  });

  it('sets no deadline for a monitor that was never pinged', () => {
    expect(take(state(PENDING), { kind: 'silence' }, '04:01:00')).toMatchObject({
      seen: null,
      change: { dueAt: null, spans: [] },
    });
  });

  it('stores no check while the monitor is down, and keeps watching it', () => {
    const { change, seen } = take(state(DOWN), { kind: 'silence' }, '05:01:00');
    expect(seen).toBeNull();
    expect(change).toMatchObject({
      state: { status: 'down', lastCheckedAt: at('05:01:00') },
      spans: [],
      incidents: [],
      dueAt: at('06:01:00'),
    });
  });

  it('counts no failure if it is late itself, and waits for the next ping', () => {
    const { change, heartbeat, seen } = take(state(), { kind: 'silence' }, '04:30:00', { lateMs: 29 * 60_000 });
    expect(change).toMatchObject({ state: { status: 'unknown' }, incidents: [], dueAt: at('05:31:00') });
    expect(heartbeat.expectedSince).toEqual(at('04:30:00'));
    expect(seen?.status).toBe('unknown');
    const next = take({ ...change.state, ...heartbeat }, { kind: 'silence' }, '05:31:00');
    expect(next.change).toMatchObject({ state: { status: 'down' }, incidents: [{ kind: 'open' }] });
  });
});

describe('time in which pings could not be received', () => {
  const gap = (from: string, to: string): Gap => ({ from: at(from), to: at(to) });
  const since = (time: string | null, run: string | null = null): HeartbeatState => {
    return { expectedSince: time === null ? null : at(time), runStartedAt: run === null ? null : at(run) };
  };
  const daily: HeartbeatSchedule = { intervalSeconds: 86_400, cron: '0 4 * * *', timezone: 'UTC', graceSeconds: 600 };
  const often: HeartbeatSchedule = { intervalSeconds: 60, cron: null, timezone: 'UTC', graceSeconds: 3_600 };
  // The last ping came at 03:00 in all of them; an hourly one is due at 04:00, and late at 04:01.
  it.each<[string, HeartbeatSchedule, HeartbeatState, Gap[], Date | null]>([
    ['excuses nothing where there was none', hourly, since('03:00:00'), [], at('04:01:00')],
    ['excuses nothing long before the ping', hourly, since('03:00:00'), [gap('03:30:00', '03:58:59')], at('04:01:00')],
    ['excuses nothing after the deadline', hourly, since('03:00:00'), [gap('04:01:00', '04:30:00')], at('04:01:00')],
    ['excuses a ping that was due in it', hourly, since('03:00:00'), [gap('03:59:45', '04:00:15')], at('05:02:00')],
    ['excuses a ping that was due before it', hourly, since('03:00:00'), [gap('04:00:50', '04:01:20')], at('05:02:00')],
    ['excuses a ping that is early', hourly, since('03:00:00'), [gap('03:58:30', '03:59:30')], at('05:02:00')],
    [
      'excuses each ping that was due in a long one',
      hourly,
      since('03:00:00'),
      [gap('03:59:00', '05:59:30')],
      at('07:04:00'),
    ],
    [
      'excuses the next ping too, in another one',
      hourly,
      since('03:00:00'),
      [gap('03:59:45', '04:00:15'), gap('05:00:10', '05:00:20')],
      at('06:03:00'),
    ],
    [
      'excuses nothing between two pings',
      hourly,
      since('03:00:00'),
      [gap('03:59:45', '04:00:15'), gap('04:20:00', '04:30:00')],
      at('05:02:00'),
    ],
    [
      'excuses a run of a schedule until the next one',
      daily,
      since('03:00:00'),
      [gap('04:05:00', '04:05:30')],
      new Date('2026-11-21T04:10:00Z'),
    ],
    [
      'waits an interval and the grace period at most where pings come more often',
      often,
      since('03:00:00'),
      [gap('03:30:00', '03:30:30')],
      at('04:32:00'),
    ],
    [
      'excuses a run that ended in it, until the next ping is overdue',
      hourly,
      since('03:00:00', '03:10:00'),
      [gap('03:10:30', '03:11:00')],
      at('04:01:00'),
    ],
    [
      'does not excuse a run that ended before it',
      hourly,
      since('03:00:00', '03:10:00'),
      [gap('03:11:00', '03:12:00')],
      at('03:11:00'),
    ],
    [
      'knows of no further ping after a first run',
      hourly,
      since(null, '03:10:00'),
      [gap('03:10:30', '03:11:00')],
      null,
    ],
  ])('%s', (_name, schedule, heartbeat, gaps, until) => {
    expect(excusedUntil(heartbeat, schedule, gaps).until).toEqual(until);
  });

  const away = [gap('03:59:45', '04:00:15')];
  const error = 'Upwatch could not receive pings from 2026-11-20 03:59:45 UTC to 2026-11-20 04:00:15 UTC';

  it('makes a silence unknown, and tells nobody', () => {
    const { change, seen, heartbeat } = take(state(), { kind: 'silence', gaps: away }, '04:01:00');
    expect(change).toMatchObject({ state: { status: 'unknown' }, incidents: [], dueAt: at('05:02:00') });
    expect(change.spans).toEqual([{ status: 'unknown', startedAt: at('04:01:00') }]);
    expect(seen).toMatchObject({ status: 'unknown', error });
    expect(heartbeat.expectedSince).toEqual(at('03:00:00'));
  });

  it('stores one check however often it is looked at', () => {
    const { change, heartbeat } = take(state(), { kind: 'silence', gaps: away }, '04:01:00');
    const again = take({ ...change.state, ...heartbeat }, { kind: 'silence', gaps: away }, '04:30:00');
    expect(again).toMatchObject({ seen: null, change: { spans: [], incidents: [], dueAt: at('05:02:00') } });
  });

  it('finds a missed ping when the next one is overdue too', () => {
    const { change, heartbeat } = take(state(), { kind: 'silence', gaps: away }, '04:01:00');
    const next = take({ ...change.state, ...heartbeat }, { kind: 'silence', gaps: away }, '05:02:00');
    expect(next.change).toMatchObject({ state: { status: 'down' }, incidents: [{ kind: 'open' }] });
  });

  it('is over with the next ping', () => {
    const { change, heartbeat } = take(state(), { kind: 'silence', gaps: away }, '04:01:00');
    const next = take({ ...change.state, ...heartbeat }, { kind: 'success' }, '05:00:00');
    expect(next.change).toMatchObject({ state: { status: 'up' }, incidents: [], dueAt: at('06:01:00') });
  });

  it('finds a missed ping at once where only the look is late', () => {
    const { change } = take(state(), { kind: 'silence', gaps: [] }, '04:30:00', { lateMs: 29 * 60_000 });
    expect(change).toMatchObject({ state: { status: 'down' }, incidents: [{ kind: 'open' }] });
  });

  it('does not end what is down', () => {
    const { change } = take(state(DOWN), { kind: 'silence', gaps: away }, '04:01:00');
    expect(change).toMatchObject({ state: { status: 'down' }, spans: [], incidents: [], dueAt: at('05:01:00') });
  });
});

describe('pings that are late one time in twenty', () => {
  it.each([300, 3_600])('end their downtime when they arrive, at an interval of %i s', (intervalSeconds) => {
    const next = random(5);
    const schedule = { ...hourly, intervalSeconds };
    const rules = { ...policy, intervalSeconds, watchedForMs: 2 * intervalSeconds * 1000 + 60_000 };
    let current = state({ lastCheckedAt: at('00:00:00'), expectedSince: at('00:00:00') });
    const waits: number[] = [];
    let openSince: number | null = null;
    const event = (kind: 'success' | 'silence', time: number) => {
      const moment = { at: new Date(time), now: new Date(time), lateMs: 0 };
      const { change, heartbeat } = applyPing(current, { kind }, moment, rules, schedule);
      current = { ...change.state, ...heartbeat };
      if (change.state.status === 'up' && openSince === null && change.state.openIncident) openSince = time;
      for (const incident of change.incidents) {
        if (incident.kind !== 'resolve') continue;
        waits.push((time - (openSince ?? time)) / 1000);
        openSince = null;
      }
    };
    let last = at('00:00:00').getTime();
    for (let run = 1; run <= 4_000; run += 1) {
      const ping = at('00:00:00').getTime() + run * intervalSeconds * 1000 + (next() < 0.05 ? 90_000 : 0);
      const deadline = last + intervalSeconds * 1000 + 60_000;
      if (ping > deadline) event('silence', deadline);
      event('success', ping);
      last = ping;
    }
    waits.sort((a, b) => a - b);
    expect(waits.length).toBeGreaterThan(100);
    expect(waits[Math.ceil(waits.length * 0.95) - 1]).toBeLessThanOrEqual(2);
  });
});
