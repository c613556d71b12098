import { afterEach, expect, it, vi } from 'vitest';
import { Pause } from '@/server/checks/schedule/clock';

afterEach(() => vi.useRealTimers());

it('returns the longer of the pauses measured by two clocks', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 });
  const pause = new Pause();
  expect(pause.lengthMs).toBe(Number.POSITIVE_INFINITY);
  pause.end();
  vi.advanceTimersByTime(400);
  expect(pause.lengthMs).toBe(400);
  // The machine slept: only the wall clock continued.
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(pause.lengthMs).toBe(3_600_400);
  pause.end();
  vi.setSystemTime(Date.now() - 60_000);
  vi.advanceTimersByTime(250);
  expect(pause.lengthMs).toBe(250);
});
