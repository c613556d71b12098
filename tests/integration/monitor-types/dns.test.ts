import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observe } from '@/server/monitor-types/probes';
import { DnsConfig } from '@/server/monitor-types/schema';
import { asTeam } from '@/tests/integration/checks/targets';
import { type DnsServer, dnsServer, type Reply } from '@/tests/support/servers/dns-server';

const long = Array.from({ length: 60 }, (_, index) => `192.0.2.${index + 1}`);

const zone: Record<string, Reply> = {
  'A example.test': ['192.0.2.1', '192.0.2.2'],
  'A long.test': long,
  'AAAA example.test': ['2001:db8:0:0:0:0:0:1'],
  'CNAME www.example.test': ['Example.Test'],
  'MX example.test': ['10 Mail.example.test', '20 spare.example.test'],
  'NS example.test': ['ns1.example.test'],
  'TXT example.test': ['v=spf1 |include:mail.test -all', 'plain'],
  'SOA example.test': ['ns1.example.test host.example.test 7 7200 900 1209600 300'],
  'SRV _sip._tcp.example.test': ['5 10 5060 sip.example.test'],
  'CAA example.test': ['0 issue ca.example.test', '128 iodef mailto:a@example.test'],
  'PTR 1.2.0.192.in-addr.arpa': ['host.example.test'],
  'PTR 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': ['six.example.test'],
  'A empty.test': [],
  'A broken.test': 2,
  'A refused.test': 5,
  'A silent.test': 'silence',
  'A nonsense.test': 'nonsense',
};

let server: DnsServer;

beforeAll(async () => {
  server = await dnsServer((type, name) => zone[`${type} ${name}`] ?? 3);
});

afterAll(() => server.close());

const check = (recordType: string, host: string, changes: Record<string, unknown> = {}) => {
  const config = DnsConfig.parse({
    host,
    recordType,
    resolver: `127.0.0.1:${server.port}`,
    timeoutMs: 2_000,
    ...changes,
  });
  return observe({ type: 'dns', config }, asTeam());
};

describe('dns probe', () => {
  it.each([
    ['A', 'example.test', ['192.0.2.1', '192.0.2.2']],
    ['AAAA', 'example.test', ['2001:db8::1']],
    ['CNAME', 'www.example.test', ['example.test']],
    ['MX', 'example.test', ['10 mail.example.test', '20 spare.example.test']],
    ['NS', 'example.test', ['ns1.example.test']],
    ['TXT', 'example.test', ['v=spf1 include:mail.test -all', 'plain']],
    ['SOA', 'example.test', ['ns1.example.test host.example.test 7 7200 900 1209600 300']],
    ['SRV', '_sip._tcp.example.test', ['5 10 5060 sip.example.test']],
    ['CAA', 'example.test', ['0 issue ca.example.test', '128 iodef mailto:a@example.test']],
    ['PTR', '192.0.2.1', ['host.example.test']],
    ['PTR', '2001:db8::1', ['six.example.test']],
    ['PTR', '1.2.0.192.in-addr.arpa', ['host.example.test']],
  ])('reads %s of %s', async (type, host, records) => {
    const seen = await check(type, host);
    expect(seen).toMatchObject({ outcome: 'ok', error: null });
    expect(seen.evidence).toHaveLength(records.length);
    expect(new Set(seen.evidence)).toEqual(new Set(records));
    expect(seen.timings.dnsMs).toBeGreaterThan(0);
  });

  it('retries over TCP after a truncated datagram', async () => {
    const seen = await check('A', 'long.test');
    expect(new Set(seen.evidence)).toEqual(new Set(long));
    expect(server.asked).toContain('A long.test tcp');
  });

  it('caches nothing', async () => {
    zone['A moving.test'] = ['192.0.2.1'];
    expect((await check('A', 'moving.test')).evidence).toEqual(['192.0.2.1']);
    zone['A moving.test'] = ['192.0.2.2'];
    expect((await check('A', 'moving.test')).evidence).toEqual(['192.0.2.2']);
  });

  it.each([
    ['A', 'missing.test', 'The name missing.test does not exist (NXDOMAIN)'],
    ['A', 'empty.test', 'empty.test has no A record'],
    ['A', 'broken.test', /^The name server .* failed to resolve broken\.test \(SERVFAIL\)$/],
    ['A', 'refused.test', /refused the query \(REFUSED\)$/],
  ])("reports the server's response to %s %s", async (type, host, error) => {
    const seen = await check(type, host);
    expect(seen).toMatchObject({ outcome: 'failed', evidence: null });
    expect(seen.error).toMatch(error);
  });

  it.each(['silent.test', 'nonsense.test'])('respects its timeout: %s', async (host) => {
    const started = performance.now();
    const seen = await check('A', host, { timeoutMs: 400 });
    expect(seen.outcome).toBe('failed');
    expect(seen.error).toMatch(/did not answer for \S+ within 0.4 s|invalid response/);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('retries a lost datagram', async () => {
    let asked = 0;
    const lossy = await dnsServer(() => {
      asked += 1;
      return asked === 1 ? 'silence' : ['192.0.2.7'];
    });
    const seen = await check('A', 'lossy.test', { resolver: `127.0.0.1:${lossy.port}`, timeoutMs: 1_400 });
    expect(seen).toMatchObject({ outcome: 'ok', evidence: ['192.0.2.7'] });
    await lossy.close();
  });

  it('reports a closed port', async () => {
    const gone = await dnsServer(() => 3);
    await gone.close();
    const seen = await check('A', 'example.test', { resolver: `127.0.0.1:${gone.port}`, timeoutMs: 500 });
    expect(seen.outcome).toBe('failed');
    expect(seen.error).toMatch(/cannot be reached|did not answer/);
  });

  it('ends without an observation when aborted', async () => {
    const stop = new AbortController();
    const config = DnsConfig.parse({ host: 'silent.test', recordType: 'A', resolver: `127.0.0.1:${server.port}` });
    const seen = observe({ type: 'dns', config }, asTeam(stop.signal));
    stop.abort(new Error('The worker stops'));
    await expect(seen).rejects.toThrow('The worker stops');
  });
});
