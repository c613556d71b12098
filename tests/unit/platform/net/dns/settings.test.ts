import { describe, expect, it } from 'vitest';
import { candidatesOf } from '@/server/platform/net/dns/names';
import { parseResolvConf } from '@/server/platform/net/dns/resolv-conf';
import { parseServerAddress } from '@/server/platform/net/dns/server-address';
import { parseHosts } from '@/server/platform/net/dns/system';

describe('parseResolvConf', () => {
  it('parses servers, the search list and options', () => {
    const text = [
      '# made by a tool',
      'nameserver 10.0.0.2',
      'nameserver\t2001:db8::53   ; the second',
      'nameserver fe80::1%eth0',
      'nameserver 10.0.0.4',
      'search Default.svc.cluster.local. svc.cluster.local',
      'options ndots:5 timeout:2 attempts:4 rotate edns0',
      'sortlist 130.155.160.0',
    ].join('\n');
    expect(parseResolvConf(text)).toEqual({
      servers: ['10.0.0.2', '2001:db8::53', 'fe80::1%eth0'],
      search: ['default.svc.cluster.local', 'svc.cluster.local'],
      ndots: 5,
      timeoutMs: 2_000,
      attempts: 4,
    });
  });

  it('uses the last of search and domain, and skips invalid lines', () => {
    const { search, ndots, timeoutMs } = parseResolvConf(
      'search a.test b.test\ndomain c.test\noptions ndots:x timeout:',
    );
    expect({ search, ndots, timeoutMs }).toEqual({ search: ['c.test'], ndots: 1, timeoutMs: null });
  });

  it('returns nothing for an empty file', () => {
    expect(parseResolvConf('')).toEqual({ servers: [], search: [], ndots: 1, timeoutMs: null, attempts: null });
  });

  it('clamps options to the limits of glibc', () => {
    const { ndots, timeoutMs, attempts } = parseResolvConf('options ndots:99 timeout:0 attempts:0');
    expect({ ndots, timeoutMs, attempts }).toEqual({ ndots: 15, timeoutMs: 1_000, attempts: 1 });
  });
});

describe('parseHosts', () => {
  it('parses names and aliases in any case, with all their addresses, and skips comments', () => {
    const hosts = parseHosts(
      [
        '127.0.0.1 localhost',
        '::1\tlocalhost ip6-localhost # loopback',
        '# 10.0.0.9 hidden',
        '10.0.0.1 App.Internal. app APP',
        '10.0.0.2 app',
        'nonsense broken',
      ].join('\r\n'),
    );
    expect(Object.fromEntries(hosts)).toEqual({
      localhost: [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
      'ip6-localhost': [{ address: '::1', family: 6 }],
      'app.internal': [{ address: '10.0.0.1', family: 4 }],
      app: [
        { address: '10.0.0.1', family: 4 },
        { address: '10.0.0.2', family: 4 },
      ],
    });
  });
});

describe('candidatesOf', () => {
  const search = ['corp.test', 'test'];
  it.each([
    ['intranet', 1, ['intranet.corp.test', 'intranet.test', 'intranet']],
    ['www.example.com', 1, ['www.example.com']],
    ['www.example', 5, ['www.example.corp.test', 'www.example.test', 'www.example']],
    ['a.b.c.d.e.f', 5, ['a.b.c.d.e.f']],
  ])('returns for %s with ndots %i the candidates %s', (name, ndots, candidates) => {
    expect(candidatesOf(name, { search, ndots })).toEqual(candidates);
  });

  it('skips names that are too long', () => {
    const name = Array.from({ length: 5 }, () => 'x'.repeat(49)).join('-');
    expect(candidatesOf(name, { search: ['corp.test'], ndots: 1 })).toEqual([name]);
  });
});

describe('parseServerAddress', () => {
  it.each([
    ['192.0.2.53', '192.0.2.53', 53],
    ['192.0.2.53:5353', '192.0.2.53', 5353],
    ['2001:db8::53', '2001:db8::53', 53],
    ['[2001:db8::53]:5353', '2001:db8::53', 5353],
    ['fe80::1%eth0', 'fe80::1%eth0', 53],
  ])('parses %s', (text, address, port) => {
    expect(parseServerAddress(text)).toEqual({ address, port });
  });

  it.each(['', 'dns.example.com', '192.0.2.53:0', '192.0.2.53:70000', '[192.0.2.53]:53', '1.2.3', '192.0.2.53:'])(
    'rejects %j',
    (text) => expect(parseServerAddress(text)).toBeNull(),
  );
});
