import { describe, expect, it } from 'vitest';
import { utcDay } from '@/app/_components/charts/day-words';
import { barSentence, utcMoment, utcSecond } from '@/app/status/_components/words';
import type { MonitorStatus } from '@/server/monitor-types/schema';

const now = Date.parse('2026-11-17T03:21:40.000Z');
const bar = (...last: (MonitorStatus | null)[]) => ({
  name: 'Checkout',
  days: [...Array<MonitorStatus | null>(90 - last.length).fill('up'), ...last],
});

describe('barSentence', () => {
  it.each([
    [bar(), 'no downtime'],
    [bar('down', 'up', 'down'), 'down on 2 days'],
    [bar('degraded', 'maintenance', 'unknown'), 'degraded on 1 day, unknown on 1 day, under maintenance on 1 day'],
  ])('%# describes %s', (component, words) => {
    expect(barSentence(component, now)).toBe(`Checkout, last 90 days: ${words}`);
  });

  it('names the first day with data', () => {
    const days = [...Array<null>(87).fill(null), 'pending' as const, 'up' as const, 'up' as const];
    expect(barSentence({ name: 'Checkout', days }, now)).toBe(
      'Checkout, last 90 days: no downtime, no data before 16 November',
    );
    const never = Array<null>(90).fill(null);
    expect(barSentence({ name: 'Checkout', days: never }, now)).toBe('Checkout, last 90 days: no data');
  });
});

describe('status page times', () => {
  it('use UTC, with the year if it is not the current one', () => {
    expect(utcDay('2026-11-16T23:59:59.999Z', now)).toBe('16 November');
    expect(utcDay('2025-12-31T23:00:00.000Z', now)).toBe('31 December 2025');
    expect(utcMoment('2026-11-17T03:07:12.000Z', now)).toBe('17 November, 03:07 UTC');
    expect(utcSecond('2026-11-17T03:07:12.000Z')).toBe('03:07:12 UTC');
  });
});
