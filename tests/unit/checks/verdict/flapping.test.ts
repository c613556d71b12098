import { describe, expect, it } from 'vitest';
import { downForGoodMs, flapWindowMs } from '@/server/checks/verdict/flapping';
import type { IncidentChange, Seen } from '@/server/checks/verdict/types';
import { degraded, down, run, second, state, step, unknown, up } from '../watching';

const rules = { failures: 1 };
/** Alternates between down and up every minute, starting at `from`. */
const flips = (count: number, from = 0): Seen[] =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? down(from + i * 60) : up(from + i * 60)));
const ups = (from: number, to: number): Seen[] =>
  Array.from({ length: Math.floor((to - from) / 60) + 1 }, (_, i) => up(from + i * 60));

const flapping = run(state(), flips(3), rules).last.state;
/** Twice the longest time up in `flips`. */
const steady = 120;
const forGood = downForGoodMs(60) / 1000;

describe('flapping', () => {
  it('starts with the third change, in the incident that opens then', () => {
    const { last, incidents } = run(state(), flips(3), rules);
    expect(incidents.map(({ kind }) => kind)).toEqual(['open', 'resolve', 'open']);
    expect(incidents.at(-1)).toEqual({
      kind: 'open',
      type: 'downtime',
      startedAt: second(120),
      cause: 'Flapping: 3 changes in 2 min. Connection refused',
    });
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: second(120) });
  });

  it('notifies once, while the status stays current', () => {
    const { last, incidents } = run(flapping, flips(21, 180).slice(1), rules);
    expect(incidents).toEqual([]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: last.state.statusSince });
    const next = step(last.state, up(1440), rules);
    expect(next).toMatchObject({ state: { status: 'up', openIncident: 'downtime' }, incidents: [] });
    expect(next.spans).toEqual([{ status: 'up', startedAt: second(1440) }]);
  });

  it('ends when the monitor was up for twice its longest time up in between, with one notification', () => {
    const before = run(flapping, ups(180, 180 + steady - 60), rules);
    expect(before.incidents).toEqual([]);
    expect(before.last.state).toMatchObject({ status: 'up', openIncident: 'downtime', steadySince: second(180) });
    const next = step(before.last.state, up(180 + steady), rules);
    expect(next.incidents).toEqual([
      {
        kind: 'resolve',
        resolvedAt: second(180 + steady),
        message: 'Flapping stopped: up for 2 min.',
      },
    ]);
    expect(next.state).toMatchObject({ openIncident: null, steadySince: null, changes: [] });
  });

  it('waits for twice the longest time up, also one after it began, and at most for a quarter of the window', () => {
    const longer = [up(180), up(240), down(290), up(350)];
    const end = 350 + 2 * (290 - 180);
    const { last, incidents } = run(flapping, [...longer, ...ups(410, end - 1)], rules);
    expect(incidents).toEqual([]);
    expect(step(last.state, up(end), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
    const quarter = 900;
    const patient = { ...last.state, changes: [second(120), second(-9_000), second(350)] };
    const waited = run(patient, ups(end, 349 + quarter), rules);
    expect(waited.incidents).toEqual([]);
    expect(step(waited.last.state, up(350 + quarter), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('waits for twice the shortest time up before it began, because longer ones may contain short downtimes', () => {
    const { last, incidents } = run(state(), [...flips(2), ...ups(120, 300), down(360), up(420), down(450)], {
      ...rules,
      flapChanges: 5,
    });
    expect(incidents.at(-1)).toMatchObject({ kind: 'open', cause: expect.stringMatching(/^Flapping/) });
    const back = run(last.state, [up(480), up(510)], rules);
    expect(back.incidents).toEqual([]);
    expect(step(back.last.state, up(480 + 60), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('leaves out a time up without a length, whose changes regions have dated to one moment', () => {
    const changes = [-200, -150, -150, -90].map(second);
    const began = run(state({ changes }), [down(0)], { ...rules, flapChanges: 5 });
    expect(began.last.state).toMatchObject({ steadySince: second(0), changes: [second(0), second(-90)] });
  });

  it('waits anew after a failing check, for twice the longest time without one', () => {
    const patient = { failures: 2 };
    const { last, incidents } = run(flapping, [up(180), up(240), down(280), up(290), ...ups(310, 290 + 199)], patient);
    expect(incidents).toEqual([]);
    const next = step(last.state, up(290 + 2 * (280 - 180)), patient);
    expect(next.incidents).toMatchObject([{ kind: 'resolve', message: 'Flapping stopped: up for 5 min.' }]);
  });

  it('ends after a quarter of the window although checks fail now and then', () => {
    const seldom = Array.from({ length: 60 }, (_, i) => (i % 8 === 7 ? down(180 + i * 15) : up(180 + i * 15)));
    // It was up for 105 s before, as it is between two failing checks.
    const before = { ...flapping, changes: [second(105), second(0)] };
    const { last, incidents } = run(before, seldom, { failures: 3 });
    expect(incidents).toEqual([]);
    expect(step(last.state, up(180 + 900), { failures: 3 }).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('prolongs the wait by unknown time, and does not start it again', () => {
    const { last, incidents } = run(flapping, [up(180), up(240), unknown(250), up(270)], rules);
    expect(incidents).toEqual([]);
    // Without the unknown time, it would end at 300; from the first check after it, at 390.
    expect(step(last.state, up(345), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('is checked every half interval while it is up, and at the end of the wait', () => {
    const first = step(flapping, up(180), rules);
    expect(first.dueAt).toEqual(second(210));
    // 1.3 times the 60 s of the longest time up
    expect(step(first.state, up(240), rules).dueAt).toEqual(second(180 + 78));
  });

  it('reads the changes of a flapping monitor that a former version stored', () => {
    const former = { ...flapping, changes: [] };
    const quarter = 900;
    const { last, incidents } = run(former, ups(180, 179 + quarter), rules);
    expect(incidents).toEqual([]);
    expect(step(last.state, up(180 + quarter), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('ends when the monitor stays down, as it was notified', () => {
    const downs = ups(180, 120 + forGood).map(({ at }) => ({ ...down(0), at }));
    const { last, incidents } = run(flapping, downs, rules);
    const message = 'Flapping stopped: down for 10 min.';
    expect(incidents).toEqual([{ kind: 'note', at: second(120 + forGood), message, dedupeKey: 'flapping-stopped' }]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: null, changes: [] });
    const over = step(last.state, up(180 + forGood), rules);
    expect(over.incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(180 + forGood) }]);
  });

  it('notifies of a monitor that was up again and then stays down', () => {
    const downs = ups(240, 240 + forGood).map(({ at }) => ({ ...down(0), at }));
    const { last, incidents } = run(flapping, [up(180), ...downs], rules);
    expect(incidents).toEqual([
      { kind: 'supersede', resolvedAt: second(240), message: 'Flapping stopped: down for 10 min.' },
      {
        kind: 'open',
        type: 'downtime',
        startedAt: second(240),
        cause: 'Down for 10 min after flapping. Connection refused',
      },
    ]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: null, changes: [] });
  });

  it('does not end with a check that contradicts the status', () => {
    const { last } = run(flapping, ups(180, 180 + steady - 60), rules);
    const next = step(last.state, down(180 + steady), { failures: 2 });
    expect(next).toMatchObject({ state: { status: 'up', openIncident: 'downtime' }, incidents: [] });
  });

  it('does not end as down with a passing check, even one of a doubled row', () => {
    const patient = { failures: 1, recoveries: 4 };
    const downs = ups(240, 120 + forGood - 60).map(({ at }) => ({ ...down(0), at }));
    const { last, incidents } = run(flapping, [up(180), ...downs, up(120 + forGood)], patient);
    expect(last.state).toMatchObject({ status: 'down', recoveries: -14, openIncident: 'downtime' });
    expect(incidents).toEqual([]);
  });

  it.each([
    ['an unknown check', [...ups(180, 720), unknown(770)], 770, 60],
    ['a gap', [...ups(180, 360), up(880)], 880, 390],
  ])('does not count the unknown time of %s as stable, but the time before it', (_name, checks, since, unknownFor) => {
    const wasUpLonger = { ...flapping, changes: [second(120), second(-180)] };
    const end = 180 + 600 + unknownFor;
    const { last, incidents } = run(wasUpLonger, [...checks, ...ups(since + 60, end - 1)], rules);
    expect(incidents).toEqual([]);
    expect(last.state.openIncident).toBe('downtime');
    expect(step(last.state, up(end), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('is up again at once after an unknown check if it was up before', () => {
    const { last, incidents } = run(flapping, [up(180), unknown(230)], rules);
    const next = step(last.state, up(290), { ...rules, recoveries: 4 });
    expect(next.state).toMatchObject({ status: 'up', openIncident: 'downtime', steadySince: second(180 + 60) });
    expect([...incidents, ...next.incidents]).toEqual([]);
  });

  it('opens no incident for slowness, and reports slowness once it is over', () => {
    const slow = ups(180, 180 + steady).map(({ at }) => ({ ...degraded(0), at }));
    const { last, incidents } = run(flapping, slow, rules);
    expect(incidents).toMatchObject([{ kind: 'resolve' }]);
    expect(last.state).toMatchObject({ status: 'degraded', openIncident: null });
    const next = step(last.state, degraded(240 + steady), rules);
    expect(next.incidents).toMatchObject([{ kind: 'open', type: 'degraded' }]);
  });

  it('starts anew after it ended: the next downtime is an ordinary one', () => {
    const over = run(flapping, ups(180, 180 + steady), rules).last.state;
    const { incidents } = run(over, flips(2, 240 + steady), rules);
    expect(incidents).toMatchObject([{ kind: 'open', cause: 'Connection refused' }, { kind: 'resolve' }]);
  });

  it('does not start with occasional changes', () => {
    const window = flapWindowMs(60) / 1000;
    const rare = Array.from({ length: 9 }, (_, i) => {
      const at = (i * window) / 2;
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
    const { last } = run(state(), flips(2), hour);
    expect(last.state.changes).toHaveLength(2);
    expect(run(flapping, flips(9, 180), rules).last.state.changes).toHaveLength(4);
    expect(
      run(state({ changes: Array.from({ length: 8 }, (_, i) => second(-i - 1)) }), [down(0)], rules),
    ).toMatchObject({
      last: { state: { changes: [expect.any(Date), expect.any(Date)], steadySince: second(0) } },
    });
  });
});

describe('a relapse', () => {
  const relapsing = { failures: 1, flapChanges: 5, countsRelapses: true, watchedForMs: 8 * 3_600_000 };

  it('is flapping at once, until the checks have passed for 1 min, or longer if it was up for longer than that', () => {
    const { last, incidents } = run(state(), [down(0), up(60), down(140)], relapsing);
    expect(incidents.at(-1)).toMatchObject({ cause: 'Flapping: down again after 1 min. Connection refused' });
    expect(last.state.steadySince).toEqual(second(140));
    const back = run(last.state, [up(200), up(205), up(260), up(303)], relapsing);
    expect(back.incidents).toEqual([]);
    expect(step(back.last.state, up(305), relapsing).incidents).toMatchObject([{ kind: 'resolve' }]);
    const sooner = run(state(), [down(0), up(60), down(80), up(140), up(199)], relapsing);
    expect(sooner.incidents).toHaveLength(3);
    expect(step(sooner.last.state, up(200), relapsing).incidents).toMatchObject([{ kind: 'resolve' }]);
  });

  it('is checked every 5 s, or twelve times in a longer interval, and two checks confirm a change', () => {
    const patient = { ...relapsing, failures: 3, recoveries: 4, retryDelayMs: 10_000 };
    const { last } = run(state(), [down(0), up(60), down(140)], relapsing);
    const first = step(last.state, up(150), patient);
    expect(first).toMatchObject({ state: { status: 'down' }, dueAt: second(155) });
    const back = step(first.state, up(155), patient);
    expect(back).toMatchObject({ state: { status: 'up', statusSince: second(150) }, incidents: [] });
    expect(step(back.state, up(160), patient).dueAt).toEqual(second(165));
    const failed = step(back.state, down(160), patient);
    expect(step(failed.state, down(165), patient).state).toMatchObject({ status: 'down', statusSince: second(160) });
    const hourly = { ...patient, intervalSeconds: 3_600 };
    expect(step(back.state, up(160), hourly).dueAt).toEqual(second(160 + 300));
    expect(step(back.state, up(160), { ...patient, countsRelapses: false }).dueAt).toEqual(second(190));
  });

  it('is found after a downtime of any length', () => {
    const { last } = run(state(), [down(0), up(4 * 3_600), down(4 * 3_600 + 60)], relapsing);
    expect(last.state.steadySince).toEqual(second(4 * 3_600 + 60));
  });

  it.each([
    ['after it was up for more than 90 s', 60, 151, true],
    ['of a heartbeat', 60, 90, false],
  ])('does not start %s', (_name, upAt, downAt, countsRelapses) => {
    const { last, incidents } = run(state(), [down(0), up(upAt), down(downAt)], { ...relapsing, countsRelapses });
    expect(incidents.at(-1)).toMatchObject({ kind: 'open', cause: 'Connection refused' });
    expect(last.state.steadySince).toBeNull();
  });
});

describe('flapping without a recovery', () => {
  const rules = { failures: 1, recoveries: 4, retryDelayMs: 10_000, countsRelapses: true };
  const isDown = state({ status: 'down', statusSince: second(-300), openIncident: 'downtime' });

  it('starts with a failing check that ends a recovery of three checks, as a note of the open incident', () => {
    const { last, incidents } = run(isDown, [up(0), up(10), up(20), down(30)], rules);
    const message = 'Flapping: checks passed for 30 s, then failed again.';
    expect(incidents).toEqual([{ kind: 'note', at: second(30), message, dedupeKey: 'flapping' }]);
    expect(last.state).toMatchObject({ status: 'down', steadySince: second(30), changes: [second(30), second(0)] });
    expect(last.dueAt).toEqual(second(35));
  });

  it('starts after a recovery that had to be longer, because another one had ended too early', () => {
    const relapsed = { ...isDown, recoveries: -16 };
    const { last } = run(relapsed, [up(0), up(10), up(20), down(30)], rules);
    expect(last.state.steadySince).toEqual(second(30));
  });

  it.each([
    ['after a recovery of two checks', [up(0), up(10), down(20)], rules],
    [
      'for heartbeats and confirmations that somebody set',
      [up(0), up(10), up(20), down(30)],
      { countsRelapses: false },
    ],
    ['after checks that were far apart', [up(0), down(91)], {}],
    ['at an interval of more than 5 min', [up(0), up(10), up(20), down(30)], { intervalSeconds: 360 }],
  ])('does not start %s', (_name, checks, changed) => {
    const { last, incidents } = run(isDown, checks, { ...rules, ...changed });
    expect(incidents).toEqual([]);
    expect(last.state.steadySince).toBeNull();
  });
});

/** The incident changes of a service that is checked whenever it is due, by the default rules. */
function watch(
  isFailing: (at: number) => boolean,
  { seconds, interval, ...rest }: { seconds: number; interval: number; flapChanges?: number; countsRelapses?: boolean },
) {
  const normal = {
    failures: 3,
    recoveries: 4,
    retryDelayMs: 10_000,
    intervalSeconds: interval,
    flapChanges: 3,
    ...rest,
  };
  const incidents: IncidentChange[] = [];
  let current = state({ lastCheckedAt: second(-interval) });
  for (let at = 0; at < seconds; ) {
    const next = step(current, isFailing(at) ? down(at) : up(at), normal);
    incidents.push(...next.incidents);
    current = next.state;
    at = (next.dueAt.getTime() - second(0).getTime()) / 1000;
  }
  return { incidents, state: current };
}

const opened = (incidents: IncidentChange[]) => incidents.filter(({ kind }) => kind === 'open');

describe('notifications about flips', () => {
  it.each([20, 60])(
    'open at most three incidents in two hours if a service flips every 280 s, at an interval of %i s',
    (interval) => {
      const { incidents } = watch((at) => Math.floor(at / 280) % 2 === 1, { seconds: 7200, interval, flapChanges: 5 });
      expect(opened(incidents).length).toBeLessThanOrEqual(3);
      expect(incidents.length).toBeLessThanOrEqual(5);
      expect(opened(incidents).at(-1)).toMatchObject({ cause: expect.stringContaining('Flapping') });
    },
  );

  it.each([
    [20, 60],
    [20, 70],
    [20, 80],
    [20, 90],
    [60, 70],
    [60, 80],
    [60, 90],
  ])(
    'go on for two hours at most twice at an interval of %i s while a service is up for %i s at a time',
    (interval, up) => {
      const isFailing = (at: number) => at % (up + 60) >= up;
      const { incidents } = watch(isFailing, { seconds: 7200, interval, flapChanges: 5, countsRelapses: true });
      expect(opened(incidents).length).toBeGreaterThan(0);
      expect(opened(incidents).length).toBeLessThanOrEqual(4);
    },
  );

  it.each([20, 60])(
    'include one that it stays down if a service flips twice before, at an interval of %i s',
    (interval) => {
      const flips = (at: number) => at >= 1200 || Math.floor(at / 240) % 2 === 1;
      const { incidents, state: last } = watch(flips, { seconds: 1200 + 900, interval });
      expect(opened(incidents).length).toBeLessThanOrEqual(3);
      expect(opened(incidents).at(-1)).toMatchObject({
        cause: expect.stringMatching(/^Down for 1\d min after flapping/),
      });
      expect(last).toMatchObject({ status: 'down', openIncident: 'downtime', steadySince: null });
    },
  );
});

describe('flapping window', () => {
  it.each([
    [5, 3_600],
    [60, 3_600],
    [280, 3_600],
    [3_600, 43_200],
    [86_400, 86_400],
  ])('gives an interval of %i s a flapping window of %i s', (interval, window) => {
    expect(flapWindowMs(interval)).toBe(window * 1000);
  });
});
