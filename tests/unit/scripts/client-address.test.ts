import { describe, expect, it } from 'vitest';
import { callers } from '@/scripts/lib/web/client-address.mjs';

describe('without a trusted proxy', () => {
  const callerOf = callers([]);
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::1', '::1'],
  ])('uses the peer %s as the client, whatever the headers say', (peer, caller) => {
    expect(callerOf(peer, undefined)).toBe(caller);
    expect(callerOf(peer, '198.51.100.7')).toBe(caller);
  });

  it('returns no address for a peer that is gone', () => {
    expect(callerOf(undefined, '198.51.100.7')).toBe('');
  });
});

describe('behind trusted proxies', () => {
  const callerOf = callers(['127.0.0.0/8', '::1/128', '10.0.0.0/8', 'fd00::/8']);
  it.each([
    ['connects directly without headers', '127.0.0.1', undefined, '127.0.0.1'],
    ['has no address', '127.0.0.1', '', '127.0.0.1'],
    ['is named by a proxy', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['is named by a proxy on an IPv6 socket', '::ffff:10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['forged an earlier entry', '127.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ["forged a proxy's address", '127.0.0.1', '10.0.0.1, 198.51.100.7', '198.51.100.7'],
    ['came through two proxies', '::1', '203.0.113.9, 198.51.100.7, 10.0.0.1', '198.51.100.7'],
    ['is in the proxies’ network', '127.0.0.1', '10.0.0.9', '10.0.0.9'],
    ['is the first of a chain of proxies only', '127.0.0.1', '10.0.0.9, 10.0.0.1', '10.0.0.9'],
    ['has a port', '127.0.0.1', '198.51.100.7:61234', '198.51.100.7'],
    ['has an IPv6 address', '127.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['has an IPv6 address in brackets', '127.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['has an IPv6 address with a port, in quotes', '127.0.0.1', '"[2001:db8::7]:443"', '2001:db8::7'],
    ['has an IPv4-mapped IPv6 address', 'fd00::1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['is unknown to the proxy', '127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['is unknown to the second proxy', '127.0.0.1', '203.0.113.9, unknown, 10.0.0.1', '10.0.0.1'],
    ['is named by text that is not an address', '127.0.0.1', '203.0.113.9, 1', '127.0.0.1'],
    ['is named by an ambiguous address', '127.0.0.1', '203.0.113.9, 127.1', '127.0.0.1'],
    ['bypasses the proxy', '192.0.2.66', '198.51.100.7', '192.0.2.66'],
  ])('finds the address of a client who %s', (_, peer, forwardedFor, caller) => {
    expect(callerOf(peer, forwardedFor)).toBe(caller);
  });
});
