import { expect, it } from 'vitest';
import { parseRetryAfter } from '@/server/platform/retry-after';

const now = new Date('2026-11-20T03:07:12.000Z');

it.each([
  ['120', 120],
  [' 5 ', 5],
  ['0.35', 1],
  ['Fri, 20 Nov 2026 03:08:12 GMT', 60],
  ['Fri, 20 Nov 2026 03:00:00 GMT', 0],
  ['-5', null],
  ['soon', null],
  ['', null],
  [undefined, null],
])('parses %s as %s seconds', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});
