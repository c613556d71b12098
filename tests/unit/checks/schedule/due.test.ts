import { describe, expect, it } from 'vitest';
import { nextDue, phaseMs } from '@/server/checks/schedule/due';

const at = (text: string) => new Date(`2026-05-01T${text}Z`);

describe('nextDue', () => {
  it('keeps the phase of a monitor, however late the previous check was', () => {
    const first = nextDue(7, 60, at('10:00:00.000'));
    expect(nextDue(7, 60, new Date(first.getTime() + 1))).toEqual(new Date(first.getTime() + 60_000));
    expect(nextDue(7, 60, new Date(first.getTime() + 59_999))).toEqual(new Date(first.getTime() + 60_000));
  });

  it('never returns the time it was given', () => {
    const first = nextDue(7, 60, at('10:00:00.000'));
    expect(nextDue(7, 60, first)).toEqual(new Date(first.getTime() + 60_000));
  });

  it('skips missed slots', () => {
    const first = nextDue(3, 60, at('10:00:00.000'));
    const later = nextDue(3, 60, new Date(first.getTime() + 3_600_500));
    expect(later.getTime() - first.getTime()).toBe(3_660_000);
  });

  it('returns a time at most one interval ahead', () => {
    for (let num = 1; num <= 200; num += 1) {
      const wait = nextDue(num, 5, at('10:00:00.123')).getTime() - at('10:00:00.123').getTime();
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(5_000);
    }
  });

  it('spreads monitors created together over the interval', () => {
    const tenths = new Array<number>(10).fill(0);
    for (let num = 1; num <= 1_000; num += 1) {
      const tenth = Math.floor(phaseMs(num, 60) / 6_000);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(count).toBeGreaterThanOrEqual(95);
  });
});
