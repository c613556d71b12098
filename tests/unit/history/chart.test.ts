import { expect, it } from 'vitest';
import { bucketOf, extentOf, extentOfSpan, partsOf } from '@/server/history/monitor/chart';

it.each([
  [0, 720, 5],
  [719, 720, 5],
  [720, 1800, 15],
  [1800, 3600, 30],
  [3600, 10_800, 60],
  [86_400, 10_800, 60],
])('draws the chart of a monitor that is %i s old over %i s, in steps of %i s', (age, seconds, part) => {
  expect(extentOf('3h', age)).toEqual({ seconds, part, rolledUp: false });
});

it.each(['24h', '7d', '30d', '90d'] as const)('shows all of %s, however young the monitor is', (range) => {
  expect(extentOf(range, 10)).toEqual(extentOf(range, 400 * 86_400));
});

it.each([
  ['3h', 300, 300],
  ['7d', 60, 3600],
  ['7d', 5400, 7200],
  ['30d', 60, 4 * 3600],
  ['90d', 60, 86_400],
  ['90d', 86_400, 86_400],
  // Hours are kept for a month: a schedule for working days with whole-hour parts would have empty parts before that.
  ['90d', 61 * 3600 + 300, 3 * 86_400],
  ['30d', 61 * 3600 + 300, 3 * 86_400],
] as const)('uses steps for %s that are multiples of the roll-up, for an interval of %i s', (range, interval, part) => {
  expect(bucketOf(extentOf(range, 400 * 86_400), interval)).toBe(part);
});

it.each([
  ['3h', 60, '2026-11-17T06:07:00.000Z', 181],
  ['3h', 3600, '2026-11-17T06:00:00.000Z', 4],
  ['7d', 60, '2026-11-10T09:00:00.000Z', 169],
  ['90d', 60, '2026-08-19T00:00:00.000Z', 91],
] as const)(
  'covers %s at an interval of %i s without a step that starts in the future',
  (range, interval, first, parts) => {
    const now = new Date('2026-11-17T09:07:30.000Z');
    const extent = extentOf(range, 400 * 86_400);
    const bucket = bucketOf(extent, interval);
    const chart = partsOf(extent, bucket, now);
    expect([chart.from.toISOString(), chart.parts]).toEqual([first, parts]);
    expect(chart.from.getTime() + (chart.parts - 1) * bucket * 1000).toBeLessThan(now.getTime());
  },
);

const now = Date.parse('2026-11-17T09:07:30.000Z');
it.each([
  [60, 0, 5, false],
  [3600, 0, 15, false],
  [86_400, 10, 300, false],
  [86_401, 0, 3600, true],
  [3600, 20, 3600, true],
  [3600, 60, 86_400, true],
  [90 * 86_400, 90, 86_400, true],
])('divides a span of %i s that began %i days earlier into parts of %i s', (seconds, days, part, rolledUp) => {
  const from = new Date(now - Math.max(days * 86_400, seconds) * 1000);
  const span = { from, to: new Date(from.getTime() + seconds * 1000) };
  expect(extentOfSpan(span, new Date(now))).toEqual({ seconds, part, rolledUp });
});
