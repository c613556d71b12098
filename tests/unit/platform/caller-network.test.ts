import { describe, expect, it } from 'vitest';
import { bucketOf, networkBucketOf, networkOf, siteOf } from '@/server/platform/caller-network';

describe('network of a caller', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['::1', '::/64', '::/48'],
    ['unknown', 'unknown', 'unknown'],
    ['', 'unknown', 'unknown'],
  ])('maps %s to %s at %s', (address, network, site) =>
    expect([networkOf(address), siteOf(address)]).toEqual([network, site]),
  );
});

describe('rate limit buckets', () => {
  it('number at most 16,384 for any number of names, evenly used', () => {
    const used = new Map<number, number>();
    for (let name = 0; name < 40_000; name += 1) {
      const bucket = bucketOf(`name ${name}`);
      used.set(bucket, (used.get(bucket) ?? 0) + 1);
    }
    expect(used.size).toBeGreaterThan(14_000);
    expect(used.size).toBeLessThanOrEqual(16_384);
    expect(Math.max(...used.values())).toBeLessThan(20);
  });

  it('differ for IPv4 and IPv6', () => {
    expect(networkBucketOf('192.0.2.7')).toMatch(/^4:\d+$/);
    expect(networkBucketOf('2001:db8::/64')).toMatch(/^6:\d+$/);
  });
});
