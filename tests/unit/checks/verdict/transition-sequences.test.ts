import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steadyMs } from '@/server/checks/verdict/flapping';
import { transition } from '@/server/checks/verdict/transition';
import type { Policy, Seen, Transition, WatchState } from '@/server/checks/verdict/types';
import { policy, second, state } from '../watching';

const START = second(0).getTime();
const pending = state({ status: 'pending', lastCheckedAt: null, statusSince: second(-1) });

const status = fc.constantFrom('up' as const, 'degraded' as const, 'down' as const, 'unknown' as const);
/** Times between checks: quick rechecks, regular ones, restarts, nights without a worker, and clocks set back. */
const wait = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 70 }) },
  { weight: 1, arbitrary: fc.integer({ min: 71, max: 40_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -5, max: 0 }) },
);
const check = fc.record({ status, wait, isNearlySlow: fc.boolean() });
/** Runs of one status and of two alternating ones, so that streaks, flapping and stability occur as well as noise. */
const stretch = fc
  .record({ of: fc.array(check, { minLength: 1, maxLength: 2 }), times: fc.integer({ min: 1, max: 12 }) })
  .map(({ of, times }) => Array.from({ length: times }, () => of).flat());
/** Alternates between down and up, each long enough to be confirmed by any rule. */
const flips = fc.integer({ min: 3, max: 8 }).map((times) =>
  Array.from({ length: 8 * times }, (_, index) => {
    return { status: Math.floor(index / 4) % 2 ? ('up' as const) : ('down' as const), wait: 3, isNearlySlow: false };
  }),
);
const checks = fc
  .array(fc.oneof(fc.array(check, { maxLength: 10 }), stretch, flips), { maxLength: 8 })
  .map((all) => all.flat());
const few = (max: number) => fc.integer({ min: 1, max });
const rules = fc.record({
  failures: few(4),
  recoveries: few(4),
  degraded: fc.option(few(4), { nil: null }),
  isAdaptive: fc.boolean(),
});

interface Step {
  seen: Seen;
  next: Transition;
}

/** A state after it was stored and read again, as by another process. */
function restart(stored: WatchState): WatchState {
  const revive = (key: string, value: unknown) =>
    (/(At|Since|Until)$/.test(key) && typeof value === 'string') || /^\d$/.test(key)
      ? new Date(value as string)
      : value;
  return JSON.parse(JSON.stringify(stored), revive) as WatchState;
}

type Checks = { status: Seen['status']; wait: number; isNearlySlow: boolean }[];

function play(sequence: Checks, limits: Partial<Policy>, isRestarted: (index: number) => boolean): Step[] {
  let current = pending;
  let at = START;
  return sequence.map(({ status: seenStatus, wait: seconds, isNearlySlow }, index) => {
    at += seconds * 1000;
    const error = seenStatus === 'up' ? null : 'why';
    const seen: Seen = { status: seenStatus, error, at: new Date(at), ...(seenStatus === 'up' && { isNearlySlow }) };
    const from = isRestarted(index) ? restart(current) : current;
    const next = transition(from, seen, { ...policy, ...limits }, new Date(at + 50));
    current = next.state;
    return { seen, next };
  });
}

/** Applies incident changes as the database does, which refuses a second open one. Returns the open incidents. */
function follow(open: { type: string; since: number } | null, { next }: Step) {
  let now = open;
  for (const change of next.incidents) {
    if (change.kind === 'open') {
      expect(now, 'a second open incident').toBeNull();
      now = { type: change.type, since: change.startedAt.getTime() };
    } else {
      expect(now, 'the end of nothing').not.toBeNull();
      if (change.kind === 'resolve' || change.kind === 'supersede') {
        expect(change.resolvedAt.getTime()).toBeGreaterThanOrEqual(now?.since ?? Number.POSITIVE_INFINITY);
        now = null;
      }
    }
  }
  return now;
}

const anySequence = (judge: (steps: Step[], limits: Pick<Policy, 'degraded'>) => void) =>
  fc.assert(
    fc.property(checks, rules, (sequence, limits) => {
      judge(
        play(sequence, limits, () => true),
        limits,
      );
    }),
    { numRuns: 300 },
  );

describe('any sequence of checks', { timeout: 60_000 }, () => {
  it('never opens two incidents, and closes none that was not open', () => {
    anySequence((steps, { degraded }) => {
      let open: ReturnType<typeof follow> = null;
      for (const step of steps) {
        open = follow(open, step);
        const { status: shown, openIncident, steadySince } = step.next.state;
        expect(openIncident).toBe(open?.type ?? null);
        if (steadySince) expect(open?.type).toBe('downtime');
        if (shown === 'down') expect(open?.type).toBe('downtime');
        if (shown === 'up') expect(open === null || steadySince !== null).toBe(true);
        if (shown === 'degraded' && !steadySince) expect(open?.type).not.toBe('downtime');
        if (degraded === null) expect(open?.type).not.toBe('degraded');
      }
    });
  });

  it('produces contiguous spans that end in the current status', () => {
    anySequence((steps) => {
      let spans = [{ status: pending.status, startedAt: pending.statusSince }];
      for (const { next } of steps) {
        const [first] = next.spans;
        if (first) spans = [...spans.filter(({ startedAt }) => startedAt < first.startedAt), ...next.spans];
        const starts = spans.map(({ startedAt }) => startedAt.getTime());
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(spans.at(-1)).toEqual({ status: next.state.status, startedAt: next.state.statusSince });
      }
    });
  });

  it('schedules the next check soon, and never at once', () => {
    anySequence((steps) => {
      for (const { seen, next } of steps) {
        const waitMs = next.dueAt.getTime() - seen.at.getTime() - 50;
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(60_000);
      }
    });
  });

  it('has the same result if a worker restarts, or is killed before it stores a result', () => {
    fc.assert(
      fc.property(checks, rules, fc.infiniteStream(fc.boolean()), (sequence, limits, restarts) => {
        const never = play(sequence, limits, () => false);
        const sometimes = play(sequence, limits, () => restarts.next().value);
        expect(sometimes).toEqual(never);
        // A killed worker's observation is lost: the next check is decided on the stored state.
        for (const { seen, next } of never.slice(0, 5)) {
          const stored = restart(next.state);
          transition(stored, { ...seen, status: 'down', error: 'lost' }, { ...policy, ...limits }, seen.at);
          expect(stored).toEqual(next.state);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('notifies once of flapping, which always ends', () => {
    let seenFlapping = 0;
    anySequence((steps, limits) => {
      let isFlapping = false;
      for (const { next } of steps) {
        const told = next.incidents.filter((it) => it.kind === 'open' && it.cause.startsWith('Flapping'));
        const now = next.state.steadySince !== null;
        expect(told).toHaveLength(now && !isFlapping ? 1 : 0);
        if (isFlapping && now) expect(next.incidents).toEqual([]);
        if (isFlapping && !now)
          expect(['note', 'resolve', 'supersede,open']).toContain(next.incidents.map(({ kind }) => kind).join());
        if (now && !isFlapping) seenFlapping += 1;
        isFlapping = now;
      }
      const { state: last } = steps.at(-1)?.next ?? { state: pending };
      const from = Math.max(last.lastCheckedAt?.getTime() ?? START, START) + 60_000;
      const calm = Math.ceil(steadyMs(60) / 60_000) + 10;
      const end = Array.from({ length: calm }, (_, i) => new Date(from + i * 60_000)).reduce(
        (current, at) => transition(current, { status: 'up', error: null, at }, { ...policy, ...limits }, at).state,
        last,
      );
      expect(end).toMatchObject({ status: 'up', openIncident: null, steadySince: null });
    });

    expect(seenFlapping).toBeGreaterThan(0);
  });
});
