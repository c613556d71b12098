import { describe, expect, it } from 'vitest';
import { nextDue } from '@/server/checks/schedule/due';
import { degraded, down, second, state, step, unknown, up } from '../watching';

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
    expect(next.state).toMatchObject({ status: 'pending', failures: 1, turnedAt: second(0) });
    expect(next.dueAt).toEqual(new Date(second(0).getTime() + 2_100));
    expect(next.spans).toEqual([]);
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
  it('notifies again if somebody resolved the incident while it lasts', () => {
    const next = step(state({ status: 'down', openIncident: null }), down(0));
    expect(next.incidents).toEqual([
      { kind: 'open', type: 'downtime', startedAt: second(0), cause: 'Connection refused' },
    ]);
    expect(next.state).toMatchObject({ status: 'down', openIncident: 'downtime' });
    expect(step(next.state, down(60)).incidents).toEqual([]);
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

  it('is cancelled by one success', () => {
    const failed = step(state(), down(0)).state;
    const next = step(failed, up(3));
    expect(next.state).toMatchObject({ status: 'up', failures: 0, turnedAt: null, statusSince: second(-3600) });
    expect(next.spans).toEqual([]);
    expect(step(next.state, down(60)).state).toMatchObject({ status: 'up', failures: 1, turnedAt: second(60) });
  });

  it('happens at once if one failure is enough', () => {
    const next = step(state(), down(0), { failures: 1 });
    expect(next.incidents).toEqual([
      { kind: 'open', type: 'downtime', startedAt: second(0), cause: 'Connection refused' },
    ]);
  });

  it('is confirmed by the regular check if that is sooner', () => {
    const regular = nextDue(1, 5, new Date(second(0).getTime() + 100));
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

  it('is confirmed by quick rechecks, and counts from the first success', () => {
    const first = step(isDown, up(0), { recoveries: 3 });
    expect(first).toMatchObject({ incidents: [], spans: [], state: { status: 'down', recoveries: 1 } });
    expect(first.dueAt).toEqual(new Date(second(0).getTime() + 2_100));
    const secondSuccess = step(first.state, degraded(3), { recoveries: 3 });
    const third = step(secondSuccess.state, up(6), { recoveries: 3 });
    expect(third.incidents).toMatchObject([{ kind: 'resolve', resolvedAt: second(0) }]);
    expect(third.state.statusSince).toEqual(second(0));
  });

  it('starts over after a failure', () => {
    const first = step(isDown, up(0), { recoveries: 2 }).state;
    const failed = step(first, down(3), { recoveries: 2 });
    expect(failed).toMatchObject({ incidents: [], state: { status: 'down', recoveries: 0, turnedAt: null } });
    expect(step(failed.state, up(60), { recoveries: 2 }).incidents).toEqual([]);
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
    const failed = step(from, down(60)).state;
    const next = step(failed, down(63));
    expect(next).toMatchObject({ incidents: [], state: { status: 'down', openIncident: 'downtime' } });
    expect(next.spans).toEqual([{ status: 'down', startedAt: second(60) }]);
  });

  it('does not count towards a confirmation', () => {
    const failed = step(state(), down(0)).state;
    const next = step(step(failed, unknown(3)).state, down(60));
    expect(next).toMatchObject({ incidents: [], state: { failures: 1, turnedAt: second(60) } });
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
    const next = step({ ...before, failures: 1, turnedAt: second(-1000) }, down(0));
    expect(next).toMatchObject({ incidents: [], state: { status: 'up', failures: 1, turnedAt: second(0) } });
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
    const failing = state({ lastCheckedAt: second(10), failures: 1, turnedAt: second(10) });
    expect(step(failing, up(9)).dueAt).toEqual(second(11.1));
    expect(step(state({ lastCheckedAt: second(10) }), up(9)).dueAt.getTime()).toBeGreaterThan(second(20).getTime());
  });
});
