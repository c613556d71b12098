import { describe, expect, it } from 'vitest';
import { isInternalName, isUnder } from '@/server/platform/net/dns/internal-name';

describe('isInternalName', () => {
  it.each([
    'intranet',
    'localhost',
    'app.localhost',
    'printer.local',
    'DB.Internal.',
    'ip-10-0-0-1.eu-west-1.compute.internal',
    'nas.home.arpa',
    'router.lan',
    'ad.corp',
    '10.0.0.1',
    '::1',
    '1.0.0.10.in-addr.arpa',
    '168.192.in-addr.arpa',
    '10.in-addr.arpa',
    '0/25.1.168.192.in-addr.arpa',
    '_dns-sd._udp.0.0.10.in-addr.arpa',
    'd.f.ip6.arpa',
    `1.${'0.'.repeat(31)}ip6.arpa`,
  ])('returns true for %s', (name) => expect(isInternalName(name)).toBe(true));

  it.each([
    'example.com',
    'local.example.com',
    'internal.example.com.',
    'localhost.example.com',
    '8.8.8.8',
    '8.8.8.8.in-addr.arpa',
    'in-addr.arpa',
    '0.0.6.2.ip6.arpa',
    '_sip._tcp.example.com',
  ])('returns false for %s', (name) => expect(isInternalName(name)).toBe(false));
});

describe('isUnder', () => {
  it('is true of a domain and its subdomains, and false of a name with the same ending', () => {
    const domains = ['corp.example.com'];
    expect(['corp.example.com', 'DB.corp.example.com.'].map((name) => isUnder(name, domains))).toEqual([true, true]);
    expect(['example.com', 'notcorp.example.com'].map((name) => isUnder(name, domains))).toEqual([false, false]);
  });
});
