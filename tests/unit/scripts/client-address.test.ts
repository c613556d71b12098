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
    ['says nothing of it', '127.0.0.1', undefined, '127.0.0.1'],
    ['is nobody', '127.0.0.1', '', '127.0.0.1'],
    ['is named', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['is named by a proxy on an IPv6 socket', '::ffff:10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['wrote a forged name before', '127.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['forged the address of a proxy', '127.0.0.1', '10.0.0.1, 198.51.100.7', '198.51.100.7'],
    ['came by two proxies', '::1', '203.0.113.9, 198.51.100.7, 10.0.0.1', '198.51.100.7'],
    ['is in the proxies’ own network', '127.0.0.1', '10.0.0.9', '10.0.0.9'],
    ['is the first of nothing but proxies', '127.0.0.1', '10.0.0.9, 10.0.0.1', '10.0.0.9'],
    ['has a port', '127.0.0.1', '198.51.100.7:61234', '198.51.100.7'],
    ['is of IPv6', '127.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['is of IPv6, in brackets', '127.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    ['is of IPv6 with a port, in quotes', '127.0.0.1', '"[2001:db8::7]:443"', '2001:db8::7'],
    ['is of IPv4 in IPv6', 'fd00::1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['is unknown to the proxy', '127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['is unknown to the second proxy', '127.0.0.1', '203.0.113.9, unknown, 10.0.0.1', '10.0.0.1'],
    ['is no address', '127.0.0.1', '203.0.113.9, 1', '127.0.0.1'],
    ['is an address only to some', '127.0.0.1', '203.0.113.9, 127.1', '127.0.0.1'],
    ['comes past the proxy', '192.0.2.66', '198.51.100.7', '192.0.2.66'],
  ])('finds the address of a client who %s', (_, peer, forwardedFor, caller) => {
    expect(callerOf(peer, forwardedFor)).toBe(caller);
  });
});
