import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '@/server/checks/schedule/clock';

const START = Date.parse('2026-10-25T01:00:00Z');

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'], now: START }));
afterEach(() => vi.useRealTimers());

describe('wasSetBack', () => {
  /** Queries the database after `waitMs`. Its clock is `offMs` ahead of this machine's; the round trip takes `tripMs`. */
  function ask(clock: Clock, { waitMs = 1_000, offMs = 0, tripMs = 5 }): boolean {
    vi.advanceTimersByTime(waitMs);
    const askedAt = performance.now();
    const databaseNow = new Date(Date.now() + offMs);
    vi.advanceTimersByTime(tripMs);
    return clock.wasSetBack(databaseNow, askedAt);
  }

  it('uses the first answer after a clock change', () => {
    expect(ask(new Clock(), {})).toBe(true);
  });

  it.each([
    ['time passes', {}, false],
    ['the answer is slow', { tripMs: 60_000 }, false],
    ['it was asked an hour ago', { waitMs: 3_600_000 }, false],
    ['the database is set ahead', { offMs: 3_600_000 }, false],
    ['it is corrected by a second', { offMs: -1_000 }, false],
    ['it is set back by ten seconds', { offMs: -10_000 }, true],
    ['it is set back by an hour', { offMs: -3_600_000 }, true],
  ])('is correct if %s', (_what, next, wanted) => {
    const clock = new Clock();
    ask(clock, {});
    expect(ask(clock, next)).toBe(wanted);
    expect(ask(clock, { offMs: 0, ...next })).toBe(false);
  });

  it('relies on the monotonic clock if the clocks of both machines are set back', () => {
    const clock = new Clock();
    ask(clock, {});
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(ask(clock, {})).toBe(true);
  });
});
