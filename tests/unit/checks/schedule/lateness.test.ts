import { describe, expect, it } from 'vitest';
import { Lateness } from '@/server/checks/schedule/lateness';
import { TIME_BOUNDS_MS } from '@/server/platform/metrics/time-buckets';

const MINUTE = 60_000;

function counted(lateness: Lateness, now: number): Record<string, number> {
  const { counts } = lateness.figures(now);
  const names = [...TIME_BOUNDS_MS.map((bound) => `${bound}`), 'more'];
  return Object.fromEntries(counts.flatMap((count, index) => (count > 0 ? [[names[index] ?? '', count]] : [])));
}

describe('lateness buckets', () => {
  it('reach up to their upper bound, and the last has none', () => {
    const lateness = new Lateness(0);
    for (const late of [-3, 0, 1, 1.01, 2, 60_000, 60_001, 9e9]) lateness.observe(late);
    expect(counted(lateness, 1)).toEqual({ 1: 3, 2: 2, 60000: 1, more: 2 });
    expect(lateness.figures(2).totalMs).toBeCloseTo(4.01 + 120_001 + 9e9);
    expect(lateness.figures(3).counts).toHaveLength(TIME_BOUNDS_MS.length + 1);
  });

  it('count from the start, beyond the recent window', () => {
    const lateness = new Lateness(0);
    lateness.observe(40);
    lateness.figures(MINUTE);
    lateness.observe(40);
    expect(counted(lateness, 60 * MINUTE)).toEqual({ 50: 2 });
  });
});

describe('recent lateness', () => {
  it('is empty at first', () => {
    expect(new Lateness(500).figures(500)).toMatchObject({ perMinute: 0, p99Ms: null });
    expect(new Lateness(500).figures(10_500)).toMatchObject({ perMinute: 0, p99Ms: null });
  });

  it('covers the time since the start until there are five minutes', () => {
    const lateness = new Lateness(1000);
    for (let index = 0; index < 60; index += 1) lateness.observe(0);
    expect(lateness.figures(1000 + 2 * MINUTE).perMinute).toBe(30);
  });

  it('drops what is older than its window', () => {
    const lateness = new Lateness(0);
    for (let index = 0; index < 100; index += 1) lateness.observe(3_000);
    for (let at = 10_000; at <= 5 * MINUTE; at += 10_000) lateness.figures(at);
    expect(lateness.figures(5 * MINUTE).p99Ms).toBeGreaterThan(2_500);
    for (let index = 0; index < 10; index += 1) lateness.observe(0);
    const { perMinute, p99Ms } = lateness.figures(5 * MINUTE + 10_000);
    expect(perMinute).toBeCloseTo(2, 5);
    expect(p99Ms).toBeLessThanOrEqual(1);
    expect(lateness.figures(11 * MINUTE)).toMatchObject({ perMinute: 0, p99Ms: null });
  });

  it.each([
    ['all in one bucket', { 0.5: 100 }, 0.99],
    ['one late value in a hundred', { 0.5: 99, 700: 1 }, 1],
    ['two late values in a hundred', { 0.5: 98, 700: 2 }, 750],
    ['values beyond the last bound', { 100000: 10 }, 60_000],
  ])('takes the 99th of a hundred values: %s', (_, observed, p99Ms) => {
    const lateness = new Lateness(0);
    for (const [late, times] of Object.entries(observed)) {
      for (let index = 0; index < times; index += 1) lateness.observe(Number(late));
    }
    expect(lateness.figures(MINUTE).p99Ms).toBeCloseTo(p99Ms, 5);
  });
});
