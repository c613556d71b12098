import { expect, it } from 'vitest';
import { extentOf } from '@/server/monitors/chart';

it.each([
  [0, 720, 5],
  [719, 720, 5],
  [720, 1800, 15],
  [1800, 3600, 30],
  [3600, 10_800, 60],
  [86_400, 10_800, 60],
])('the chart of a monitor that is %i s old goes back %i s, in parts of %i s', (age, seconds, part) => {
  expect(extentOf('3h', age)).toEqual({ seconds, part, rolledUp: false });
});

it.each(['24h', '7d', '30d', '90d'] as const)('%s is shown whole, however young the monitor is', (range) => {
  expect(extentOf(range, 10)).toEqual(extentOf(range, 400 * 86_400));
});
