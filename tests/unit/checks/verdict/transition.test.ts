import { describe, expect, it } from 'vitest';
import type { WatchState } from '@/server/checks/verdict/types';
import { nextDue } from '@/server/time/phase';
import { degraded, down, run, second, state, step, unknown, up } from '../watching';

const pending = state({ status: 'pending', lastCheckedAt: null, statusSince: second(-1) });
const isDown = state({ status: 'down', openIncident: 'downtime', statusSince: second(-300) });

describe('first check', () => {
  it('turns a monitor up at once if it succeeds, whatever the recovery policy', () => {
    const next = step(pending, up(0), { recoveries: 5 });
    expect(next.state).toMatchObject({ status: 'up', statusSince: second(0), lastCheckedAt: second(0) });
    expect(next.spans).toEqual([{ status: 'up', startedAt: second(0) }]);
    expect(next.incidents).toEqual([]);
  });

  it('leaves the monitor pending if it fails, and is confirmed soon', () => {
    const next = step(pending, down(0));
    expect(next.state).toMatchObject({ status: 'pending', failures: 3, turnedAt: second(0) });
    expect(next.dueAt).toEqual(second(2));
    expect(next.spans).toEqual([]);
  });

  it('is confirmed within seconds, whatever the retry delay, since nobody relies on a new monitor', () => {
    const rules = { failures: 3, retryDelayMs: 60_000 };
    const failed = [0, 2].reduce((current, at) => step(current, down(at), rules).state, pending);
    expect(step(failed, down(4), rules).state).toMatchObject({ status: 'down', statusSince: second(0) });
  });

  it('turns the monitor down since the first failure if it fails twice', () => {
    const next = step(step(pending, down(0)).state, down(3));
    expect(next.state).toMatchObject({ status: 'down', statusSince: second(0), openIncident: 'downtime', failures: 0 });
    expect(next.spans).toEqual([{ status: 'down', startedAt: second(0) }]);
    expect(next.incidents).toEqual([
      { kind: 'open', type: 'downtime', startedAt: second(0), cause: 'Connection refused' },
    ]);
  });
});

describe('going down', () => {
  it('notifies again, with the true start, if somebody resolved the incident while it lasts', () => {
    const next = step(state({ status: 'down', openIncident: null }), down(0));
    expect(next.incidents).toEqual([
      { kind: 'open', type: 'downtime', startedAt: second(-3600), cause: 'Connection refused' },
    ]);
    expect(next.state).toMatchObject({ status: 'down', openIncident: 'downtime' });
    expect(step(next.state, down(60)).incidents).toEqual([]);
  });

  it('counts a failing check that waited until the next recheck as two, but not the first one', () => {
    const rules = { failures: 3, retryDelayMs: 10_000, isAdaptive: true };
    const hanging = (at: number) => ({ ...down(at), tookMs: 10_000 });
    const first = step(state(), hanging(0), rules).state;
    expect(first).toMatchObject({ status: 'up', failures: 3 });
    expect(step(first, hanging(10.25), rules)).toMatchObject({
      state: { status: 'down', statusSince: second(0) },
      incidents: [{ kind: 'open', startedAt: second(0) }],
    });
    expect(step(step(state(), down(0), rules).state, hanging(10), rules).state.status).toBe('down');
    for (const seen of [down(10.25), { ...hanging(10.25), tookMs: 8_000 }, hanging(0.5)])
      expect(step(first, seen, rules).state.status).toBe('up');
  });

  it('counts it as one if somebody set the confirmation, or the monitor is noisy', () => {
    const rules = { failures: 3, retryDelayMs: 10_000, isAdaptive: true };
    const hanging = (at: number) => ({ ...down(at), tookMs: 10_000 });
    const statusOf = (changes: Partial<WatchState>, isAdaptive: boolean) =>
      run(state(changes), [hanging(0), hanging(10.25)], { ...rules, isAdaptive }).last.state.status;
    expect(statusOf({}, false)).toBe('up');
    expect(statusOf({ noiseUntil: second(30 * 86_400) }, true)).toBe('up');
    expect(statusOf({}, true)).toBe('down');
  });

  it('requires as many failures in a row as the policy says', () => {
    let current = state();
    for (const at of [0, 3]) {
      const next = step(current, down(at), { failures: 3 });
      expect(next).toMatchObject({ state: { status: 'up' }, incidents: [], spans: [] });
      current = next.state;
    }
    const last = step(current, down(6), { failures: 3 });
    expect(last.incidents).toMatchObject([{ kind: 'open', startedAt: second(0) }]);
    expect(last.state.statusSince).toEqual(second(0));
  });

  it('is cancelled by three successes', () => {
    const failed = step(state(), down(0)).state;
    const first = step(failed, up(3));
    expect(first).toMatchObject({ spans: [], state: { status: 'up', failures: 1, turnedAt: second(0) } });
    expect(first.dueAt).toEqual(second(5));
    const almost = step(first.state, up(5));
    expect(almost.state).toMatchObject({ status: 'up', failures: 0, turnedAt: second(0) });
    expect(almost.dueAt).toEqual(second(7));
    const next = step(almost.state, up(7));
    expect(next.state).toMatchObject({ status: 'up', failures: 0, turnedAt: null, statusSince: second(-3600) });
    expect(next.spans).toEqual([]);
    expect(step(next.state, down(60)).state).toMatchObject({ status: 'up', failures: 3, turnedAt: second(60) });
  });

  it('follows from short failures although two checks pass in between', () => {
    const checks = [down(0), up(10), up(20), down(30), down(40), down(50)];
    const rules = { failures: 3, retryDelayMs: 10_000 };
    expect(run(state(), checks, rules).incidents).toMatchObject([{ kind: 'open', startedAt: second(0) }]);
    // The third passing check ends the streak.
    const apart = [down(0), up(10), up(20), up(30), down(40), down(50)];
    expect(run(state(), apart, rules).last.state).toMatchObject({ failures: 6, turnedAt: second(40) });
  });

  it('follows from intermittent failures: a success in between takes back two thirds of one', () => {
    const checks = [down(0), up(10), down(20), up(30), down(40), up(50), down(60)];
    const { last, incidents } = run(state(), checks, { failures: 2, retryDelayMs: 10_000 });
    expect(last.state).toMatchObject({ status: 'down', statusSince: second(0) });
    expect(incidents).toMatchObject([{ kind: 'open', startedAt: second(0) }]);
    expect(run(state(), checks.slice(0, 6), { failures: 2, retryDelayMs: 10_000 }).incidents).toEqual([]);
  });

  it('takes as long as the rechecks are apart, also if regular checks are closer', () => {
    const rules = { failures: 3, retryDelayMs: 10_000, intervalSeconds: 5 };
    const checks = [0, 5, 10, 15, 20].map(down);
    expect(run(state(), checks.slice(0, 4), rules).incidents).toEqual([]);
    expect(run(state(), checks, rules).incidents).toMatchObject([{ kind: 'open', startedAt: second(0) }]);
  });

  it('replaces an incident about slowness, so that people are notified once', () => {
    const slow = state({ status: 'degraded', openIncident: 'degraded', statusSince: second(-600) });
    const { incidents } = run(slow, [down(0), down(3)]);
    expect(incidents).toMatchObject([
      { kind: 'supersede', resolvedAt: second(0) },
      { kind: 'open', type: 'downtime', startedAt: second(0) },
    ]);
  });

  it('happens at once if one failure is enough', () => {
    const next = step(state(), down(0), { failures: 1 });
    expect(next.incidents).toEqual([
      { kind: 'open', type: 'downtime', startedAt: second(0), cause: 'Connection refused' },
    ]);
  });

  it('is confirmed by the regular check if that is sooner', () => {
    const regular = nextDue({ monitorNum: 1, intervalSeconds: 5 }, new Date(second(0).getTime() + 100));
    expect(
      step(state({ lastCheckedAt: second(-5) }), down(0), { intervalSeconds: 5, retryDelayMs: 60_000 }).dueAt,
    ).toEqual(regular);
  });

  it('notifies once', () => {
    const next = step(isDown, down(0));
    expect(next).toMatchObject({ incidents: [], spans: [], state: { status: 'down', openIncident: 'downtime' } });
    expect(next.state.statusSince).toEqual(second(-300));
  });
});

describe('recovery', () => {
  it('happens at the first success if one is enough', () => {
    const next = step(isDown, up(0));
    expect(next.incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(0) }]);
    expect(next.spans).toEqual([{ status: 'up', startedAt: second(0) }]);
    expect(next.state).toMatchObject({ status: 'up', openIncident: null });
  });

  it('is not dated before the downtime if the first checks ran by a clock that was set back', () => {
    const failed = step(pending, down(-5), { failures: 1 });
    expect(failed.state).toMatchObject({ status: 'down', statusSince: second(-1) });
    const next = step(failed.state, up(-3));
    expect(next.state).toMatchObject({ status: 'up', statusSince: second(-1) });
    expect(next.incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(-1) }]);
  });

  it('is confirmed by quick rechecks, and counts from the first success', () => {
    const first = step(isDown, up(0), { recoveries: 3 });
    expect(first).toMatchObject({ incidents: [], spans: [], state: { status: 'down', recoveries: 2 } });
    expect(first.dueAt).toEqual(second(2));
    const secondSuccess = step(first.state, degraded(3), { recoveries: 3 });
    const third = step(secondSuccess.state, up(6), { recoveries: 3 });
    expect(third.incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(0) }]);
    expect(third.state.statusSince).toEqual(second(0));
  });

  it('starts over after a failure', () => {
    const first = step(isDown, up(0), { recoveries: 2 }).state;
    const failed = step(first, down(3), { recoveries: 2 });
    expect(failed).toMatchObject({ incidents: [], state: { status: 'down', recoveries: -8, turnedAt: null } });
    expect(step(failed.state, up(60), { recoveries: 2 }).incidents).toEqual([]);
  });

  it('takes twice as many successes after some that a failure followed', () => {
    const rules = { recoveries: 2, retryDelayMs: 10_000 };
    const { incidents } = run(isDown, [up(0), down(10), ...[40, 50, 60].map(up)], rules);
    expect(incidents).toEqual([]);
    const { incidents: resolved } = run(isDown, [up(0), down(10), ...[40, 50, 60, 70].map(up)], rules);
    expect(resolved).toMatchObject([{ kind: 'resolve', resolvedAt: second(40) }]);
  });

  it('is put off by further failing checks, but never by more than twice as many successes', () => {
    const rules = { recoveries: 2, retryDelayMs: 10_000 };
    const passing = (from: number, length: number) => Array.from({ length }, (_, i) => up(from + i * 10));
    const relapsed = run(isDown, [up(0), down(10), ...passing(40, 3), down(80)], rules).last.state;
    expect(relapsed).toMatchObject({ status: 'down', recoveries: -5, turnedAt: null });
    expect(run(relapsed, passing(110, 2), rules).incidents).toEqual([]);
    expect(run(relapsed, passing(110, 3), rules).incidents).toMatchObject([{ kind: 'resolve' }]);
    const worse = run(relapsed, [110, 140, 170, 200, 230].map(down), rules).last.state;
    expect(worse).toMatchObject({ status: 'down', recoveries: -8 });
    expect(run(worse, passing(260, 3), rules).incidents).toEqual([]);
    expect(run(worse, passing(260, 4), rules).incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(260) }]);
  });

  it('starts at the first success, not at a failing check after the status was unknown', () => {
    const rules = { failures: 3, recoveries: 2 };
    const { incidents, last } = run(isDown, [unknown(0), down(10), up(20), up(30)], rules);
    expect(incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(20) }]);
    expect(last.state).toMatchObject({ status: 'up', statusSince: second(20) });
  });

  it('is looked for every half interval, but no more often than every 30 s', () => {
    const long = { intervalSeconds: 600, watchedForMs: 1_210_000 };
    expect(step(isDown, down(0)).dueAt.getTime()).toBeLessThanOrEqual(second(30).getTime());
    expect(step(isDown, down(0), long).dueAt.getTime()).toBeLessThanOrEqual(second(300).getTime());
    const short = { intervalSeconds: 20, watchedForMs: 50_000 };
    expect(step(isDown, down(0), short).dueAt).toEqual(
      nextDue({ monitorNum: 1, intervalSeconds: 20 }, new Date(second(0).getTime() + 100)),
    );
  });
});

describe('unknown', () => {
  it('opens and resolves no incident', () => {
    expect(step(state(), unknown(0))).toMatchObject({ incidents: [], state: { status: 'unknown' } });
    const from = step(isDown, unknown(0));
    expect(from).toMatchObject({ incidents: [], state: { status: 'unknown', openIncident: 'downtime' } });
    expect(step(from.state, up(60)).incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(60) }]);
  });

  it('does not notify again of a downtime that continues after it', () => {
    const from = step(isDown, unknown(0)).state;
    const next = step(from, down(60));
    expect(next).toMatchObject({ incidents: [], state: { status: 'down', openIncident: 'downtime' } });
    expect(next.spans).toEqual([{ status: 'down', startedAt: second(60) }]);
  });

  it('does not count towards a confirmation', () => {
    const failed = step(state(), down(0)).state;
    const next = step(step(failed, unknown(3)).state, down(60));
    expect(next).toMatchObject({ incidents: [], state: { failures: 3, turnedAt: second(60) } });
  });
});

describe('gap in checking', () => {
  const before = state({ lastCheckedAt: second(-1000) });
  const known = second(-1000 + 130);

  it('is unknown time until the next check', () => {
    const next = step(before, up(0));
    expect(next.spans).toEqual([
      { status: 'unknown', startedAt: known },
      { status: 'up', startedAt: second(0) },
    ]);
    expect(next.state.statusSince).toEqual(second(0));
  });

  it('needs more than two intervals and a timeout', () => {
    expect(step(state({ lastCheckedAt: second(-130) }), up(0)).spans).toEqual([]);
    expect(step(state({ lastCheckedAt: second(-131) }), up(0)).spans).toHaveLength(2);
  });

  it('resets the failure streak', () => {
    const next = step({ ...before, failures: 3, turnedAt: second(-1000) }, down(0));
    expect(next).toMatchObject({ incidents: [], state: { status: 'up', failures: 3, turnedAt: second(0) } });
    expect(next.spans.map(({ status }) => status)).toEqual(['unknown', 'up']);
  });

  it('does not end a downtime', () => {
    const next = step({ ...isDown, lastCheckedAt: second(-1000) }, down(0));
    expect(next).toMatchObject({ incidents: [], state: { status: 'down', openIncident: 'downtime' } });
    expect(next.spans.map(({ status }) => status)).toEqual(['unknown', 'down']);
  });
});

describe('check older than the last one', () => {
  it('changes nothing but the schedule', () => {
    const current = state({ lastCheckedAt: second(10) });
    const next = step(current, down(5));
    expect(next.state).toBe(current);
    expect(next).toMatchObject({ spans: [], incidents: [] });
  });

  it('leaves the confirmation of the last one due soon', () => {
    const failing = state({ lastCheckedAt: second(10), failures: 2, turnedAt: second(10) });
    expect(step(failing, up(9)).dueAt).toEqual(second(11));
    expect(step(state({ lastCheckedAt: second(10) }), up(9)).dueAt.getTime()).toBeGreaterThan(second(20).getTime());
  });
});
