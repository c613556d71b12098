import { afterEach, expect, it, vi } from 'vitest';
import { Stopwatch } from '@/server/checks/schedule/clock';

afterEach(() => vi.useRealTimers());

it('returns the longer of the times that two clocks measured', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 });
  const stopwatch = new Stopwatch();
  expect(stopwatch.elapsedMs).toBe(Number.POSITIVE_INFINITY);
  stopwatch.restart();
  vi.advanceTimersByTime(400);
  expect(stopwatch.elapsedMs).toBe(400);
  // The machine slept: only the wall clock continued.
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(stopwatch.elapsedMs).toBe(3_600_400);
  stopwatch.restart();
  vi.setSystemTime(Date.now() - 60_000);
  vi.advanceTimersByTime(250);
  expect(stopwatch.elapsedMs).toBe(250);
});
