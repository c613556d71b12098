import { describe, expect, it } from 'vitest';
import { flapWindowMs, steadyMs } from '@/server/checks/verdict/flapping';
import type { Seen } from '@/server/checks/verdict/transition';
import { degraded, down, run, second, state, step, unknown, up } from '../watching';

const rules = { failures: 1 };
/** Alternates between down and up every minute, starting at `from`. */
const flips = (count: number, from = 0): Seen[] =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? down(from + i * 60) : up(from + i * 60)));
const ups = (from: number, to: number): Seen[] =>
  Array.from({ length: Math.floor((to - from) / 60) + 1 }, (_, i) => up(from + i * 60));

const flapping = run(state(), flips(5), rules).last.state;
const steady = steadyMs(60) / 1000;

describe('flapping', () => {
  it('starts with the fifth change, in the incident that opens then', () => {
    const { last, incidents } = run(state(), flips(5), rules);
    expect(incidents.map(({ kind }) => kind)).toEqual(['open', 'resolve', 'open', 'resolve', 'open']);
    expect(incidents.at(-1)).toEqual({
      kind: 'open',
      type: 'downtime',
      startedAt: second(240),
      cause: 'Flapping: 5 changes in 4 minutes. Connection refused',
    });
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: second(240) });
  });

  it('notifies once, while the status stays current', () => {
    const { last, incidents } = run(flapping, flips(21, 300).slice(1), rules);
    expect(incidents).toEqual([]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: last.state.statusSince });
    const next = step(last.state, up(1560), rules);
    expect(next).toMatchObject({ state: { status: 'up', openIncident: 'downtime' }, incidents: [] });
    expect(next.spans).toEqual([{ status: 'up', startedAt: second(1560) }]);
  });

  it('ends when the monitor was up for half a window, with one notification', () => {
    const before = run(flapping, ups(300, 300 + steady - 60), rules);
    expect(before.incidents).toEqual([]);
    expect(before.last.state).toMatchObject({ status: 'up', openIncident: 'downtime', steadySince: second(300) });
    const next = step(before.last.state, up(300 + steady), rules);
    expect(next.incidents).toEqual([
      {
        kind: 'resolve',
        resolvedAt: second(300 + steady),
        message: 'Flapping stopped: up for 10 minutes.',
      },
    ]);
    expect(next.state).toMatchObject({ openIncident: null, steadySince: null, changes: [] });
  });

  it('ends when the monitor was down for half a window, and the incident stays open', () => {
    const downs = ups(300, 240 + steady).map(({ at }) => ({ ...down(0), at }));
    const { last, incidents } = run(flapping, downs, rules);
    const message = 'Flapping stopped: down for 10 minutes.';
    expect(incidents).toEqual([{ kind: 'note', at: second(240 + steady), message }]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: null });
    const over = step(last.state, up(300 + steady), rules);
    expect(over.incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(300 + steady) }]);
  });

  it('does not end with a check that contradicts the status', () => {
    const { last } = run(flapping, ups(300, 300 + steady - 60), rules);
    const next = step(last.state, down(300 + steady), { failures: 2 });
    expect(next).toMatchObject({ state: { status: 'up', openIncident: 'downtime' }, incidents: [] });
  });

  it.each([
    ['unknown time', [...ups(300, 840), unknown(890)], 890],
    ['a gap', [...ups(300, 480), up(1000)], 1000],
  ])('does not end with %s', (_name, checks, since) => {
    const { last, incidents } = run(flapping, [...checks, ...ups(since + 60, since + steady - 60)], rules);
    expect(incidents).toEqual([]);
    expect(last.state.openIncident).toBe('downtime');
    expect(step(last.state, up(since + steady + 60), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('opens no incident for slowness, and reports slowness once it is over', () => {
    const slow = ups(300, 300 + steady).map(({ at }) => ({ ...degraded(0), at }));
    const { last, incidents } = run(flapping, slow, rules);
    expect(incidents).toMatchObject([{ kind: 'resolve' }]);
    expect(last.state).toMatchObject({ status: 'degraded', openIncident: null });
    const next = step(last.state, degraded(360 + steady), rules);
    expect(next.incidents).toMatchObject([{ kind: 'open', type: 'degraded' }]);
  });

  it('starts anew after it ended: the next downtime is an ordinary one', () => {
    const over = run(flapping, ups(300, 300 + steady), rules).last.state;
    const { incidents } = run(over, flips(3, 360 + steady), rules);
    expect(incidents).toMatchObject([
      { kind: 'open', cause: 'Connection refused' },
      { kind: 'resolve' },
      { kind: 'open', cause: 'Connection refused' },
    ]);
  });

  it('does not start with occasional changes', () => {
    const window = flapWindowMs(60) / 1000;
    const rare = Array.from({ length: 9 }, (_, i) => {
      const at = (i * window) / 4;
      return i % 2 === 0 ? down(at) : up(at);
    });
    const { incidents } = run(state(), rare, { ...rules, watchedForMs: window * 1000 });
    expect(incidents).toHaveLength(9);
    expect(incidents.filter((it) => it.kind === 'open' && it.cause.startsWith('Flapping'))).toEqual([]);
  });

  it('does not count a downtime that continues after unknown time', () => {
    const checks = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? down(i * 60) : unknown(i * 60)));
    const { last, incidents } = run(state(), checks, rules);
    expect(incidents).toHaveLength(1);
    expect(last.state.steadySince).toBeNull();
  });

  it('stores few changes, however many there are', () => {
    const hour = { ...rules, intervalSeconds: 3600, watchedForMs: 7_210_000 };
    const { last } = run(state(), flips(4), hour);
    expect(last.state.changes).toHaveLength(4);
    expect(
      run(state({ changes: Array.from({ length: 8 }, (_, i) => second(-i - 1)) }), [down(0)], rules),
    ).toMatchObject({
      last: { state: { changes: [], steadySince: second(0) } },
    });
  });
});

describe('flapping window', () => {
  it.each([
    [5, 900],
    [60, 1_200],
    [3_600, 72_000],
    [86_400, 86_400],
  ])('of an interval of %i s is %i s', (interval, window) => {
    expect(flapWindowMs(interval)).toBe(window * 1000);
  });
});
