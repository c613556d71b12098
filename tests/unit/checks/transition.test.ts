import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDue } from '@/server/checks/due';
import { type Policy, type Seen, transition, type WatchState } from '@/server/checks/transition';

const START = Date.parse('2026-05-01T10:00:00Z');
const second = (n: number) => new Date(START + n * 1000);
const policy: Policy = {
  monitorNum: 1,
  intervalSeconds: 60,
  watchedForMs: 130_000,
  failures: 2,
  recoveries: 1,
  retryDelayMs: 2_000,
};

function state(changes: Partial<WatchState> = {}): WatchState {
  return {
    status: 'up',
    statusSince: second(-3600),
    failures: 0,
    recoveries: 0,
    turnedAt: null,
    incidentOpen: false,
    lastCheckedAt: second(-60),
    ...changes,
  };
}

const up = (at: number): Seen => ({ status: 'up', error: null, at: second(at) });
const down = (at: number): Seen => ({ status: 'down', error: 'Connection refused', at: second(at) });
const degraded = (at: number): Seen => ({ status: 'degraded', error: 'slow', at: second(at) });
const unknown = (at: number): Seen => ({ status: 'unknown', error: 'no network', at: second(at) });
const pending = state({ status: 'pending', lastCheckedAt: null, statusSince: second(-1) });
const isDown = state({ status: 'down', incidentOpen: true, statusSince: second(-300) });

/** Runs one check that takes a tenth of a second. */
const step = (from: WatchState, seen: Seen, rules: Partial<Policy> = {}) =>
  transition(from, seen, { ...policy, ...rules }, new Date(seen.at.getTime() + 100));

describe('the first check', () => {
  it('that succeeds makes a monitor up at once, whatever recoveries ask', () => {
    const next = step(pending, up(0), { recoveries: 5 });
    expect(next.state).toMatchObject({ status: 'up', statusSince: second(0), lastCheckedAt: second(0) });
    expect(next.spans).toEqual([{ status: 'up', startedAt: second(0) }]);
    expect(next.incident).toBeNull();
  });

  it('that fails leaves it pending and is confirmed soon', () => {
    const next = step(pending, down(0));
    expect(next.state).toMatchObject({ status: 'pending', failures: 1, turnedAt: second(0) });
    expect(next.dueAt).toEqual(new Date(second(0).getTime() + 2_100));
    expect(next.spans).toEqual([]);
  });

  it('that fails twice makes it down since the first failure', () => {
    const next = step(step(pending, down(0)).state, down(3));
    expect(next.state).toMatchObject({ status: 'down', statusSince: second(0), incidentOpen: true, failures: 0 });
    expect(next.spans).toEqual([{ status: 'down', startedAt: second(0) }]);
    expect(next.incident).toEqual({ kind: 'open', startedAt: second(0), cause: 'Connection refused' });
  });
});

describe('going down', () => {
  it('is told again where somebody resolved the incident while it lasts', () => {
    const next = step(state({ status: 'down', incidentOpen: false }), down(0));
    expect(next.incident).toEqual({ kind: 'open', startedAt: second(0), cause: 'Connection refused' });
    expect(next.state).toMatchObject({ status: 'down', incidentOpen: true });
    expect(step(next.state, down(60)).incident).toBeNull();
  });

  it('takes as many failures in a row as the policy says', () => {
    let current = state();
    for (const at of [0, 3]) {
      const next = step(current, down(at), { failures: 3 });
      expect(next).toMatchObject({ state: { status: 'up' }, incident: null, spans: [] });
      current = next.state;
    }
    const last = step(current, down(6), { failures: 3 });
    expect(last.incident).toMatchObject({ kind: 'open', startedAt: second(0) });
    expect(last.state.statusSince).toEqual(second(0));
  });

  it('is called off by one success', () => {
    const failed = step(state(), down(0)).state;
    const next = step(failed, up(3));
    expect(next.state).toMatchObject({ status: 'up', failures: 0, turnedAt: null, statusSince: second(-3600) });
    expect(next.spans).toEqual([]);
    expect(step(next.state, down(60)).state).toMatchObject({ status: 'up', failures: 1, turnedAt: second(60) });
  });

  it('happens at once where one failure is enough', () => {
    const next = step(state(), down(0), { failures: 1 });
    expect(next.incident).toEqual({ kind: 'open', startedAt: second(0), cause: 'Connection refused' });
  });

  it('is confirmed at the regular time where that comes first', () => {
    const regular = nextDue(1, 5, new Date(second(0).getTime() + 100));
    expect(
      step(state({ lastCheckedAt: second(-5) }), down(0), { intervalSeconds: 5, retryDelayMs: 60_000 }).dueAt,
    ).toEqual(regular);
  });

  it('is told once', () => {
    const next = step(isDown, down(0));
    expect(next).toMatchObject({ incident: null, spans: [], state: { status: 'down', incidentOpen: true } });
    expect(next.state.statusSince).toEqual(second(-300));
  });
});

describe('coming up again', () => {
  it('resolves at the first success where one is enough', () => {
    const next = step(isDown, up(0));
    expect(next.incident).toEqual({ kind: 'resolve', resolvedAt: second(0) });
    expect(next.spans).toEqual([{ status: 'up', startedAt: second(0) }]);
    expect(next.state).toMatchObject({ status: 'up', incidentOpen: false });
  });

  it('is confirmed by quick rechecks, and counts from the first success', () => {
    const first = step(isDown, up(0), { recoveries: 3 });
    expect(first).toMatchObject({ incident: null, spans: [], state: { status: 'down', recoveries: 1 } });
    expect(first.dueAt).toEqual(new Date(second(0).getTime() + 2_100));
    const secondSuccess = step(first.state, degraded(3), { recoveries: 3 });
    const third = step(secondSuccess.state, up(6), { recoveries: 3 });
    expect(third.incident).toEqual({ kind: 'resolve', resolvedAt: second(0) });
    expect(third.state.statusSince).toEqual(second(0));
  });

  it('starts over after a failure', () => {
    const first = step(isDown, up(0), { recoveries: 2 }).state;
    const failed = step(first, down(3), { recoveries: 2 });
    expect(failed).toMatchObject({ incident: null, state: { status: 'down', recoveries: 0, turnedAt: null } });
    expect(step(failed.state, up(60), { recoveries: 2 }).incident).toBeNull();
  });
});

describe('degraded', () => {
  it('is a status without an incident', () => {
    const slow = step(state(), degraded(0));
    expect(slow).toMatchObject({ incident: null, state: { status: 'degraded' } });
    expect(slow.spans).toEqual([{ status: 'degraded', startedAt: second(0) }]);
    expect(step(slow.state, up(60)).spans).toEqual([{ status: 'up', startedAt: second(60) }]);
  });
});

describe('unknown', () => {
  it('opens nothing and resolves nothing', () => {
    expect(step(state(), unknown(0))).toMatchObject({ incident: null, state: { status: 'unknown' } });
    const from = step(isDown, unknown(0));
    expect(from).toMatchObject({ incident: null, state: { status: 'unknown', incidentOpen: true } });
    expect(step(from.state, up(60)).incident).toEqual({ kind: 'resolve', resolvedAt: second(60) });
  });

  it('does not tell a downtime twice that goes on after it', () => {
    const from = step(isDown, unknown(0)).state;
    const failed = step(from, down(60)).state;
    const next = step(failed, down(63));
    expect(next).toMatchObject({ incident: null, state: { status: 'down', incidentOpen: true } });
    expect(next.spans).toEqual([{ status: 'down', startedAt: second(60) }]);
  });

  it('does not count towards a confirmation', () => {
    const failed = step(state(), down(0)).state;
    const next = step(step(failed, unknown(3)).state, down(60));
    expect(next).toMatchObject({ incident: null, state: { failures: 1, turnedAt: second(60) } });
  });
});

describe('a gap in checking', () => {
  const before = state({ lastCheckedAt: second(-1000) });
  const known = second(-1000 + 130);

  it('is unknown time, until the check that ends it', () => {
    const next = step(before, up(0));
    expect(next.spans).toEqual([
      { status: 'unknown', startedAt: known },
      { status: 'up', startedAt: second(0) },
    ]);
    expect(next.state.statusSince).toEqual(second(0));
  });

  it('is none as long as it is shorter than two intervals and a timeout', () => {
    expect(step(state({ lastCheckedAt: second(-130) }), up(0)).spans).toEqual([]);
    expect(step(state({ lastCheckedAt: second(-131) }), up(0)).spans).toHaveLength(2);
  });

  it('forgets the failures before it', () => {
    const next = step({ ...before, failures: 1, turnedAt: second(-1000) }, down(0));
    expect(next).toMatchObject({ incident: null, state: { status: 'up', failures: 1, turnedAt: second(0) } });
    expect(next.spans.map(({ status }) => status)).toEqual(['unknown', 'up']);
  });

  it('in a downtime does not end it', () => {
    const next = step({ ...isDown, lastCheckedAt: second(-1000) }, down(0));
    expect(next).toMatchObject({ incident: null, state: { status: 'down', incidentOpen: true } });
    expect(next.spans.map(({ status }) => status)).toEqual(['unknown', 'down']);
  });
});

describe('a check that is older than the last one', () => {
  it('moves nothing but the schedule', () => {
    const current = state({ lastCheckedAt: second(10) });
    const next = step(current, down(5));
    expect(next.state).toBe(current);
    expect(next).toMatchObject({ spans: [], incident: null });
  });
});

describe('over any sequence of checks', () => {
  const verdict = fc.constantFrom('up' as const, 'degraded' as const, 'down' as const, 'unknown' as const);
  /** Waits between checks: quick rechecks, regular ones, restarts, nights without a worker, and clocks going back. */
  const wait = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 70 }) },
    { weight: 1, arbitrary: fc.integer({ min: 71, max: 40_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -5, max: 0 }) },
  );
  const checks = fc.array(fc.record({ status: verdict, wait }), { maxLength: 80 });
  const rules = fc.record({ failures: fc.integer({ min: 1, max: 4 }), recoveries: fc.integer({ min: 1, max: 4 }) });

  it('there are never two open incidents, never a recovery without a downtime, and one line of spans', () => {
    fc.assert(
      fc.property(checks, rules, (sequence, limits) => {
        let current = pending;
        let open = 0;
        let opened = START - 1_000;
        let spans = [{ status: current.status, startedAt: current.statusSince }];
        let at = START;
        for (const { status, wait: seconds } of sequence) {
          at += seconds * 1000;
          const seen = { status, error: status === 'up' ? null : 'why', at: new Date(at) };
          // A state that was stored and read again, as by another process.
          const stored = structuredClone(current);
          const next = transition(stored, seen, { ...policy, ...limits }, new Date(at + 50));

          if (next.incident?.kind === 'open') {
            open += 1;
            opened = next.incident.startedAt.getTime();
          }
          if (next.incident?.kind === 'resolve') {
            open -= 1;
            expect(next.incident.resolvedAt.getTime()).toBeGreaterThanOrEqual(opened);
          }
          expect(open).toBe(next.state.incidentOpen ? 1 : 0);
          if (next.state.status === 'down') expect(open).toBe(1);
          if (next.state.status === 'up' || next.state.status === 'degraded') expect(open).toBe(0);

          const [first] = next.spans;
          if (first) spans = [...spans.filter(({ startedAt }) => startedAt < first.startedAt), ...next.spans];
          const starts = spans.map(({ startedAt }) => startedAt.getTime());
          expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
          expect(spans.at(-1)).toEqual({ status: next.state.status, startedAt: next.state.statusSince });

          expect(next.dueAt.getTime()).toBeGreaterThan(at + 50);
          expect(next.dueAt.getTime()).toBeLessThanOrEqual(at + 50 + 60_000);
          current = next.state;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
