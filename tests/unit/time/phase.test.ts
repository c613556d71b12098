import { describe, expect, it } from 'vitest';
import { nextDue, phaseMs, shiftOf } from '@/server/time/phase';

const at = (text: string) => new Date(`2026-05-01T${text}Z`);

describe('nextDue', () => {
  it('keeps the phase of a monitor, however late the previous check was', () => {
    const first = nextDue({ monitorNum: 7, intervalSeconds: 60 }, at('10:00:00.000'));
    expect(nextDue({ monitorNum: 7, intervalSeconds: 60 }, new Date(first.getTime() + 1))).toEqual(
      new Date(first.getTime() + 60_000),
    );
    expect(nextDue({ monitorNum: 7, intervalSeconds: 60 }, new Date(first.getTime() + 59_999))).toEqual(
      new Date(first.getTime() + 60_000),
    );
  });

  it('never returns the time it was given', () => {
    const first = nextDue({ monitorNum: 7, intervalSeconds: 60 }, at('10:00:00.000'));
    expect(nextDue({ monitorNum: 7, intervalSeconds: 60 }, first)).toEqual(new Date(first.getTime() + 60_000));
  });

  it('skips missed slots', () => {
    const first = nextDue({ monitorNum: 3, intervalSeconds: 60 }, at('10:00:00.000'));
    const later = nextDue({ monitorNum: 3, intervalSeconds: 60 }, new Date(first.getTime() + 3_600_500));
    expect(later.getTime() - first.getTime()).toBe(3_660_000);
  });

  it('returns a time at most one interval ahead', () => {
    for (let num = 1; num <= 200; num += 1) {
      const wait =
        nextDue({ monitorNum: num, intervalSeconds: 5 }, at('10:00:00.123')).getTime() - at('10:00:00.123').getTime();
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(5_000);
    }
  });

  it('spreads the regions of a monitor over the interval', () => {
    const phases = [0, 1, 2].map((index) =>
      phaseMs({ monitorNum: 5, intervalSeconds: 60, phaseShift: shiftOf(index, 3) }),
    );
    const [first = 0, ...others] = phases;
    expect(others.map((phase) => (phase - first + 60_000) % 60_000)).toEqual([20_000, 40_000]);
    expect(shiftOf(-1, 3)).toBe(0);
  });

  it('spreads monitors created together over the interval', () => {
    const tenths = new Array<number>(10).fill(0);
    for (let num = 1; num <= 1_000; num += 1) {
      const tenth = Math.floor(phaseMs({ monitorNum: num, intervalSeconds: 60 }) / 6_000);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(count).toBeGreaterThanOrEqual(95);
  });
});
