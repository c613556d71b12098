import { describe, expect, it } from 'vitest';
import { degraded, down, nearlySlow, run, second, state, step, unknown, up } from '../watching';

const slowly = [degraded(0), degraded(60), degraded(120)];
const isDegraded = state({ status: 'degraded', openIncident: 'degraded', statusSince: second(-600) });

describe('becoming degraded', () => {
  it('requires several slow checks in a row, and counts from the first', () => {
    const two = run(state(), slowly.slice(0, 2));
    expect(two.last).toMatchObject({
      state: { status: 'up', latencyStreak: 2, latencyTurnedAt: second(0) },
      spans: [],
    });
    const { last, incidents } = run(state(), slowly);
    expect(last.state).toMatchObject({ status: 'degraded', statusSince: second(0), openIncident: 'degraded' });
    expect(last.state).toMatchObject({ latencyStreak: 0, latencyTurnedAt: null });
    expect(last.spans).toEqual([{ status: 'degraded', startedAt: second(0) }]);
    expect(incidents).toEqual([{ kind: 'open', type: 'degraded', startedAt: second(0), cause: 'slow' }]);
  });

  it('notifies once', () => {
    const { last, incidents } = run(isDegraded, slowly);
    expect(incidents).toEqual([]);
    expect(last).toMatchObject({ spans: [], state: { status: 'degraded', statusSince: second(-600) } });
  });

  it.each([
    ['a fast check', up(60)],
    ['a failing check', down(60)],
    ['a check that could not be made', unknown(60)],
    ['a nearly slow check', nearlySlow(60)],
  ])('starts over after %s', (_name, between) => {
    const { last } = run(state(), [degraded(0), degraded(30), between, degraded(90), degraded(150)]);
    expect(last.state).toMatchObject({
      status: 'up',
      openIncident: null,
      latencyStreak: 2,
      latencyTurnedAt: second(90),
    });
  });

  it('starts over after a gap', () => {
    const { last } = run(state(), [degraded(0), degraded(60), degraded(1000)]);
    expect(last.state).toMatchObject({ status: 'up', latencyStreak: 1, latencyTurnedAt: second(1000) });
  });

  it('happens at once if one slow check is enough', () => {
    const next = step(state(), degraded(0), { degraded: 1 });
    expect(next.state).toMatchObject({ status: 'degraded', statusSince: second(0) });
  });

  it('schedules the next check after the interval, but within a minute', () => {
    expect(step(state(), degraded(0)).dueAt).toEqual(step(state(), up(0)).dueAt);
    const hourly = { intervalSeconds: 3600, watchedForMs: 7_210_000 };
    expect(step(state(), degraded(0), hourly).dueAt).toEqual(second(60));
    expect(step(isDegraded, degraded(0), hourly).dueAt).toEqual(step(isDegraded, nearlySlow(0), hourly).dueAt);
  });

  it('turns a monitor that was never checked up first', () => {
    const pending = state({ status: 'pending', lastCheckedAt: null });
    expect(step(pending, degraded(0)).state).toMatchObject({ status: 'up', statusSince: second(0), latencyStreak: 1 });
    const { last } = run(pending, slowly);
    expect(last.spans).toEqual([{ status: 'degraded', startedAt: second(0) }]);
  });

  it('is superseded by a downtime that follows, which opens the only other incident', () => {
    const failing = [down(180), down(190), down(250)];
    const { incidents, last } = run(state(), [...slowly, ...failing]);
    expect(incidents).toMatchObject([
      { kind: 'open', type: 'degraded', startedAt: second(0) },
      { kind: 'supersede', resolvedAt: second(180) },
      { kind: 'open', type: 'downtime', startedAt: second(180) },
    ]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime', latencyStreak: 0 });
  });

  it('is not reported if the checks fail before it is confirmed', () => {
    const { incidents } = run(state(), [...slowly.slice(0, 2), down(120), down(130)]);
    expect(incidents).toMatchObject([{ kind: 'open', type: 'downtime' }]);
  });

  it('notifies again if somebody resolved the incident while it lasts', () => {
    const resolved = state({ status: 'degraded', openIncident: null });
    expect(step(resolved, up(0)).incidents).toEqual([]);
    expect(step(resolved, degraded(0)).incidents).toMatchObject([{ kind: 'open', startedAt: resolved.statusSince }]);
  });
});

describe('recovering from degraded', () => {
  it('requires as many clearly fast checks in a row, and counts from the first', () => {
    const two = run(isDegraded, [up(0), up(60)]);
    expect(two.last).toMatchObject({ state: { status: 'degraded', openIncident: 'degraded' }, incidents: [] });
    const { last, incidents } = run(isDegraded, [up(0), up(60), up(120)]);
    expect(last.state).toMatchObject({ status: 'up', statusSince: second(0), openIncident: null });
    expect(incidents).toEqual([
      { kind: 'resolve', resolvedAt: second(0), message: 'Response times are back to normal.' },
    ]);
  });

  it.each([
    ['slow', degraded(120)],
    ['nearly slow', nearlySlow(120)],
  ])('starts over after one that is %s', (_name, between) => {
    const { last, incidents } = run(isDegraded, [up(0), up(60), between, up(180), up(240)]);
    expect(last.state).toMatchObject({ status: 'degraded', latencyStreak: 2 });
    expect(incidents).toEqual([]);
  });

  it('remains possible after unknown time', () => {
    const { last, incidents } = run(isDegraded, [unknown(0), up(60)]);
    expect(last.state).toMatchObject({ status: 'degraded', statusSince: second(60), openIncident: 'degraded' });
    expect(incidents).toEqual([]);
  });
});

describe('degraded and down', () => {
  it('closes the one incident before it opens the other', () => {
    const { last } = run(isDegraded, [down(0), down(3)]);
    expect(last.incidents).toEqual([
      { kind: 'supersede', resolvedAt: second(0), message: 'The monitor went down.' },
      { kind: 'open', type: 'downtime', startedAt: second(0), cause: 'Connection refused' },
    ]);
    expect(last.state).toMatchObject({ status: 'down', openIncident: 'downtime' });
  });

  it('turns up first, and degraded after slow checks', () => {
    const isDown = state({ status: 'down', openIncident: 'downtime' });
    const rules = { recoveries: 2 };
    const recovered = run(isDown, [degraded(0), degraded(3)], rules).last;
    expect(recovered.state).toMatchObject({
      status: 'up',
      statusSince: second(0),
      openIncident: null,
      latencyStreak: 2,
    });
    const next = step(recovered.state, degraded(60), rules);
    expect(next.state).toMatchObject({ status: 'degraded', statusSince: second(0), openIncident: 'degraded' });
    expect(next.spans).toEqual([{ status: 'degraded', startedAt: second(0) }]);
  });
});

describe('degraded for a reason other than latency', () => {
  const rules = { degraded: null };
  it('is the status at once, and opens no incident', () => {
    const soon = step(state(), degraded(0), rules);
    expect(soon).toMatchObject({ incidents: [], state: { status: 'degraded', statusSince: second(0) } });
    expect(step(soon.state, degraded(60), rules)).toMatchObject({ incidents: [], spans: [] });
    expect(step(soon.state, up(60), rules).spans).toEqual([{ status: 'up', startedAt: second(60) }]);
  });

  it('can end a downtime', () => {
    const next = step(state({ status: 'down', openIncident: 'downtime' }), degraded(0), rules);
    expect(next).toMatchObject({ state: { status: 'degraded' }, incidents: [{ kind: 'resolve' }] });
  });
});
