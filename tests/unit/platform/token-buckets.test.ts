import { expect, it } from 'vitest';
import { TokenBuckets } from '@/server/platform/token-buckets';

const takeMany = (buckets: TokenBuckets, key: string, count: number, now: number) =>
  Array.from({ length: count }, () => buckets.take(key, now));

it('grants a burst, then one token per interval, and returns how long to wait', () => {
  const buckets = new TokenBuckets(600, 120);
  expect(takeMany(buckets, 'a', 120, 1_000)).toEqual(new Array(120).fill(0));
  expect(buckets.take('a', 1_000)).toBeCloseTo(100);
  expect(buckets.take('a', 1_060)).toBeCloseTo(40);
  expect(takeMany(buckets, 'a', 2, 1_100)).toEqual([0, expect.closeTo(100)]);
});

it('grants as many tokens per minute as configured, however often a caller asks', () => {
  const buckets = new TokenBuckets(600, 120);
  let granted = 0;
  for (let now = 0; now < 600_000; now += 10) if (buckets.take('a', now) === 0) granted += 1;
  expect(granted).toBe(120 + 6_000 - 1);
});

it('counts keys separately', () => {
  const buckets = new TokenBuckets(60, 1);
  expect([buckets.take('a', 0), buckets.take('b', 0), buckets.take('a', 0)]).toEqual([0, 0, 1_000]);
});

it('forgets buckets that are full again', () => {
  const buckets = new TokenBuckets(60, 10);
  for (let key = 0; key < 1_000; key += 1) buckets.take(String(key), 20_000);
  buckets.take('busy', 30_500);
  expect(buckets.size).toBe(1);
});
