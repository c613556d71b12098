import { describe, expect, it } from 'vitest';
import { decideLocked } from '@/server/checks/record/decide';
import type { Decided } from '@/server/checks/record/write-results';
import type { Plan } from '@/server/checks/schedule/plan';
import type { LockedRow } from '@/server/checks/schedule/state-row';
import { decideRegions, regionsToAsk } from '@/server/checks/verdict/decide-regions';
import type { Vote } from '@/server/checks/verdict/majority';
import type { Seen } from '@/server/checks/verdict/types';
import { degraded, down, policy, second, state, unknown, up } from '../watching';

const REGIONS = ['a', 'b', 'c'];
/** Each region confirms with one failing check and two passing ones, 10 s apart; degraded takes two slow ones. */
const rules = { ...policy, failures: 1, recoveries: 2, retryDelayMs: 10_000, degraded: 2 };
const plan: Plan = {
  monitor: {
    id: 'm',
    num: 1,
    teamId: 't',
    type: 'http',
    name: 'Shop',
    severity: 'critical',
    intervalSeconds: 60,
    version: 1,
  },
  regions: REGIONS,
  target: null,
  testsConnection: false,
  policy: rules,
  warnDays: 0,
  pingSchedule: null,
  host: '',
};

/** The row of a region, or of the monitor (''), that has been up for an hour and was last checked 30 s before the start. */
const row = (region: string, changes: Partial<LockedRow> = {}): LockedRow => ({
  monitor_id: 'm',
  region,
  version: 1,
  revision: 0,
  status: 'up',
  status_since: second(-3600),
  failures: 0,
  recoveries: 0,
  turned_at: null,
  latency_streak: 0,
  latency_turned_at: null,
  open_incident: null,
  changes: [],
  steady_since: null,
  last_checked_at: second(-30),
  noise_until: null,
  expected_since: null,
  run_started_at: null,
  certificate: null,
  certificate_warned: false,
  maintenance: [],
  check_pauses: [],
  planned_until: null,
  held: null,
  due_at: second(30),
  claimed_by: null,
  claimed_until: null,
  last_latency_ms: null,
  last_error: null,
  ...changes,
});

/** A monitor whose regions record one result after the other, each under the lock of all of its rows. */
class Monitor {
  readonly incidents: { kind: string; type?: string; at: number }[] = [];
  private rows: LockedRow[];

  constructor(changes: Partial<Record<'' | 'a' | 'b' | 'c', Partial<LockedRow>>> = {}) {
    this.rows = (['', 'a', 'b', 'c'] as const).map((region) => row(region, changes[region]));
  }

  of(region: string): LockedRow {
    const found = this.rows.find((each) => each.region === region);
    if (!found) throw new Error(`There is no region "${region}".`);
    return found;
  }

  /** @param takenAfter how many seconds the check took @returns the regions that are to check at once */
  check(region: string, { at, status, error }: Seen, takenAfter = 0.1): string[] {
    const takenAt = new Date(at.getTime() + takenAfter * 1000);
    const finding = { at, verdict: { status, error }, observation: null };
    const decided = decideLocked(null, { plan, finding, region, takenAt, claim: null }, this.rows);
    if (!decided) return [];
    for (const incident of decided.incidents) {
      const seconds = (takenAt.getTime() - second(0).getTime()) / 1000;
      this.incidents.push({ kind: incident.kind, at: seconds, ...('type' in incident && { type: incident.type }) });
    }
    return this.take(decided);
  }

  private take({ rows, isAsking = false }: Decided): string[] {
    for (const { region, state: next, dueAt, shown } of rows) {
      const error = shown && { last_error: shown.error };
      Object.assign(this.of(region), error, {
        status: next.status,
        status_since: next.statusSince,
        failures: next.failures,
        recoveries: next.recoveries,
        turned_at: next.turnedAt,
        latency_streak: next.latencyStreak,
        latency_turned_at: next.latencyTurnedAt,
        open_incident: next.openIncident,
        changes: next.changes,
        steady_since: next.steadySince,
        last_checked_at: next.lastCheckedAt,
        due_at: dueAt,
      });
    }
    const asked = rows.slice(2).map(({ region }) => region);
    expect(isAsking).toBe(asked.length > 0);
    return asked;
  }
}

const DOWN = { status: 'down', open_incident: 'downtime', status_since: second(-600) } as const;

describe('sequence of votes', () => {
  it('resolves a downtime with votes for up, degraded and down, and opens nothing about slowness', () => {
    const monitor = new Monitor({ '': DOWN, a: DOWN, b: DOWN, c: DOWN });
    monitor.check('c', down(0));
    for (const at of [1, 11]) {
      monitor.check('a', up(at));
      monitor.check('b', degraded(at + 1));
    }
    expect(monitor.incidents).toEqual([{ kind: 'resolve', at: 12.1 }]);
    for (const at of [30, 90, 150, 210]) {
      monitor.check('c', down(at));
      monitor.check('a', up(at + 20));
      monitor.check('b', degraded(at + 40));
    }
    expect(monitor.of('b').status).toBe('degraded');
    expect(monitor.of('')).toMatchObject({ status: 'up', open_incident: null });
    expect(monitor.incidents).toHaveLength(1);
  });

  it.each([
    ['slow, down, down', [degraded, down, down]],
    ['down, slow, down', [down, degraded, down]],
    ['down, down, slow', [down, down, degraded]],
  ])('opens exactly one incident if votes land one after the other: %s', (_name, votes) => {
    const monitor = new Monitor();
    for (const round of [0, 60]) {
      for (const [index, vote] of votes.entries()) monitor.check(REGIONS[index] ?? '', vote(round + index * 0.05));
    }
    expect(monitor.incidents).toMatchObject([{ kind: 'open', type: 'downtime' }]);
    expect(monitor.of('')).toMatchObject({ status: 'down', open_incident: 'downtime' });
  });

  it('does not count a failing region as a slow one', () => {
    const monitor = new Monitor();
    for (const at of [0, 60, 120]) {
      monitor.check('a', degraded(at));
      monitor.check('b', down(at + 20));
      monitor.check('c', up(at + 40));
    }
    expect(monitor.of('a').status).toBe('degraded');
    expect(monitor.incidents).toEqual([]);
    expect(monitor.of('').status).toBe('up');
  });

  it('reopens nothing if a failing check is recorded after the recovery', () => {
    const monitor = new Monitor({ '': DOWN, a: DOWN, b: DOWN });
    for (const at of [10, 20]) for (const region of ['a', 'b']) monitor.check(region, up(at));
    expect(monitor.incidents).toMatchObject([{ kind: 'resolve' }]);
    monitor.check('c', down(5), 30);
    monitor.check('b', down(40));
    expect(monitor.of('')).toMatchObject({ status: 'up', open_incident: null });
    expect(monitor.incidents).toHaveLength(1);
  });

  it('turns an unknown monitor down at once, even by a check that began before it was unknown', () => {
    const lost = { status: 'unknown', status_since: second(0), last_checked_at: second(-130) } as const;
    const silent = { last_checked_at: second(-130), due_at: second(-70) };
    const monitor = new Monitor({ '': lost, a: silent, b: silent, c: silent });
    monitor.check('a', down(-5), 10);
    expect(monitor.of('')).toMatchObject({ status: 'down', status_since: second(0), open_incident: 'downtime' });
  });

  it('leaves nothing counted in the row of the monitor', () => {
    const monitor = new Monitor();
    const checks = [down, down, down, up, up, degraded, degraded, up];
    for (const [index, check] of checks.entries()) {
      for (const region of REGIONS) monitor.check(region, check(index * 60));
      const { failures, recoveries, turned_at } = monitor.of('');
      expect({ failures, recoveries, turned_at }).toEqual({ failures: 0, recoveries: 0, turned_at: null });
    }
  });
});

type Asked = Parameters<typeof regionsToAsk>[2][number];

const vote = (region: string, changes: Partial<Asked> = {}): Asked => ({
  region,
  status: 'up',
  statusSince: second(-3600),
  lastCheckedAt: second(-30),
  lastError: null,
  dueAt: second(30),
  turnedAt: null,
  ...changes,
});

const fresh = { status: 'up' as const, failures: 0, recoveries: 0, turnedAt: null };
const failed = { ...fresh, failures: 3, turnedAt: second(0) };
const isDown = { ...fresh, status: 'down' as const };
const passed = { ...isDown, recoveries: 2, turnedAt: second(0) };
const DOWNTIME = state({ status: 'down', openIncident: 'downtime' });
const FLAPPING = state({ status: 'up', openIncident: 'downtime', steadySince: second(-60) });

describe('regionsToAsk', () => {
  const votes = (status: Vote['status']) => ['b', 'c'].map((region) => vote(region, { status }));

  it.each([
    ['all others after the first failing check', state(), fresh, failed, votes('up'), ['b', 'c']],
    ['none after further failing checks', state(), failed, failed, votes('up'), []],
    ['all others once a region says down', state(), failed, isDown, votes('up'), ['b', 'c']],
    ['none after a passing check', state(), fresh, fresh, votes('up'), []],
    ['all others after the first passing check of a downtime', DOWNTIME, isDown, passed, votes('down'), ['b', 'c']],
    ['none after further passing checks', DOWNTIME, passed, passed, votes('down'), []],
    ['none after a failing check of a downtime', DOWNTIME, isDown, isDown, votes('down'), []],
    ['none of those that say so already', state(), failed, isDown, votes('down'), []],
    ['none of those that pass already', DOWNTIME, isDown, passed, votes('up'), []],
    ['all others of a flapping monitor that is up', FLAPPING, fresh, failed, votes('up'), ['b', 'c']],
  ] as const)('returns %s', (_name, present, before, after, all, regions) => {
    expect(regionsToAsk(present, { before, after }, [...all], second(0))).toEqual(regions);
  });

  it.each([
    ['that checked within 5 s', { lastCheckedAt: second(-4) }],
    ['that is about to check', { dueAt: second(1) }],
    ['that is overdue, since it has no worker', { dueAt: second(-600) }],
    ['that never checks again', { dueAt: null }],
    ['that is counting such checks already', { turnedAt: second(-8) }],
  ])('leaves out a region %s', (_name, changes) => {
    const others = [vote('b', changes), vote('c')];
    expect(regionsToAsk(state(), { before: fresh, after: failed }, others, second(0))).toEqual(['c']);
    // Its last checks passed, but its streak is not over.
    const lingering = { ...fresh, turnedAt: second(-20) };
    expect(regionsToAsk(state(), { before: lingering, after: failed }, others, second(0))).toEqual(['c']);
  });
});

describe('asking regions to check at once', () => {
  it('makes their rows due and changes nothing else of them', () => {
    const slow = { latency_streak: 1, latency_turned_at: second(-30), last_error: 'slow', last_latency_ms: 900 };
    const monitor = new Monitor({ b: slow });
    const before = structuredClone(monitor.of('b'));
    expect(monitor.check('a', down(0))).toEqual(['b', 'c']);
    expect(monitor.of('b')).toEqual({ ...before, due_at: second(0.1) });
  });

  it('leaves out a region whose check is under way', () => {
    const monitor = new Monitor({ b: { claimed_by: 'w', claimed_until: second(5) } });
    expect(monitor.check('a', down(0))).toEqual(['c']);
  });

  it('includes a region whose claim has expired', () => {
    const monitor = new Monitor({ b: { claimed_by: 'w', claimed_until: second(-1) } });
    expect(monitor.check('a', down(0))).toEqual(['b', 'c']);
  });

  it('leaves out a region whose checks are stopped by maintenance', () => {
    const monitor = new Monitor({ b: { check_pauses: [second(-10), second(600)], due_at: second(605) } });
    expect(monitor.check('a', down(0))).toEqual(['c']);
  });

  it('asks none for a paused monitor', () => {
    const monitor = new Monitor({ '': { status: 'paused', due_at: null } });
    expect(monitor.check('a', down(0))).toEqual([]);
    expect(monitor.incidents).toEqual([]);
  });

  it('happens once per row of passing checks, even a doubled one', () => {
    const monitor = new Monitor({ '': DOWN, a: { ...DOWN, recoveries: -8 }, b: DOWN, c: DOWN });
    expect(monitor.check('a', up(0))).toEqual(['b', 'c']);
    expect(monitor.of('a')).toMatchObject({ recoveries: -6, turned_at: second(0) });
    expect(monitor.check('a', up(10))).toEqual([]);
  });
});

describe('silence of all regions', () => {
  const moment = (at: number) => ({ at: second(at), now: second(at), isTurn: false, isFailing: false, upSince: null });
  const silent = REGIONS.map((region) => vote(region, { lastCheckedAt: second(-300), dueAt: second(-240) }));

  it('turns the monitor unknown since its last check counted, and opens or resolves nothing', () => {
    const { change, error } = decideRegions(state({ lastCheckedAt: second(-300) }), silent, rules, moment(0));
    expect(change.state).toMatchObject({ status: 'unknown', statusSince: second(-170) });
    expect(change.incidents).toEqual([]);
    expect(change.dueAt).toBeNull();
    expect(error).toBe('No region has checked this monitor recently');
  });

  it('is not assumed while one is still to answer', () => {
    const votes = [...silent.slice(1), vote('a', { lastCheckedAt: second(-300), dueAt: second(-10) })];
    const { change } = decideRegions(state({ lastCheckedAt: second(-300) }), votes, rules, moment(0));
    expect(change.state.status).toBe('up');
    expect(change.dueAt).toEqual(second(50));
  });

  const gone = { last_checked_at: second(-300), due_at: second(-240) };
  const lost = { status: 'unknown', status_since: second(-170) } as const;
  const unable = { status: 'unknown', last_checked_at: second(-20), due_at: second(40) } as const;
  const SLOW = { status: 'degraded', open_incident: 'degraded', status_since: second(-600) } as const;

  it.each([
    ['a downtime, unknown since', DOWN, { ...gone, ...lost }, gone, down],
    ['a downtime, with the silence not noticed', DOWN, gone, gone, down],
    ['a downtime while no region has a network', DOWN, { ...unable, ...lost }, unable, down],
    ['slowness, unknown since', SLOW, { ...gone, ...lost }, gone, degraded],
    ['slowness, with the silence not noticed', SLOW, gone, gone, degraded],
  ] as const)('does not end by the vote of the first region that is back: %s', (_name, told, own, region, seen) => {
    const there = { ...told, ...region };
    const monitor = new Monitor({ '': { ...told, ...own }, a: { ...region }, b: there, c: there });
    monitor.check('a', up(0));
    expect(monitor.of('').status).toBe('unknown');
    for (const at of [3, 13]) for (const each of ['b', 'c']) monitor.check(each, seen(at));
    expect(monitor.incidents).toEqual([]);
    expect(monitor.of('')).toMatchObject({ status: told.status, open_incident: told.open_incident });
  });

  it('ends a minute after the first region is back, without the others', () => {
    const there = { ...DOWN, ...gone };
    const monitor = new Monitor({ '': { ...there, ...lost }, a: gone, b: there, c: there });
    monitor.check('a', up(0));
    expect(monitor.of('').due_at).toEqual(second(60));
    monitor.check('a', up(61));
    expect(monitor.incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('turns the monitor unknown if no region could check, and says why', () => {
    const monitor = new Monitor();
    for (const region of REGIONS) monitor.check(region, unknown(0));
    expect(monitor.of('')).toMatchObject({ status: 'unknown', last_error: 'no network' });
    expect(monitor.incidents).toEqual([]);
  });
});
