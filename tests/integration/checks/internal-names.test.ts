import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DnsConfig, definitions } from '@/server/monitor-types/schema';
import { type DnsServer, dnsServer, type Reply } from '@/tests/support/servers/dns-server';
import { asTeam } from './targets';

// This instance's name server serves an internal zone, as in many networks, and public names.

const SECRET = 'the password of the database';
let server: DnsServer;
let zone: Record<string, Reply>;
let aliases: Record<string, string>;

beforeAll(async () => {
  server = await dnsServer((type, name) => zone[`${type} ${name}`] ?? zone[name] ?? 3, {
    alias: (type, name) => aliases[`${type} ${name}`] ?? aliases[name],
  });
});

beforeEach(() => {
  server.asked.length = 0;
  aliases = {};
  zone = {
    'A db.corp.internal': ['10.0.0.7'],
    'TXT db.corp.internal': [SECRET],
    'A public.example.com': ['8.8.8.8'],
    'TXT public.example.com': ['v=spf1 -all'],
    'A inside.example.com': ['10.0.0.7'],
    'AAAA inside.example.com': ['fd00:0:0:0:0:0:0:7'],
    'MX inside.example.com': ['10 mail.corp.internal'],
    'NS inside.example.com': ['ns1.corp.internal'],
    'SRV inside.example.com': ['1 1 53 dc1.corp'],
    'PTR 8.8.8.8.in-addr.arpa': ['dns.google'],
    'PTR 4.4.8.8.in-addr.arpa': ['vm-7.eu-1.compute.internal'],
  };
});

afterAll(() => server.close());

/** The dialler of a process with this search list, with private targets allowed or not. */
async function instance(allowPrivateTargets: boolean, search: string[] = []) {
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', String(allowPrivateTargets));
  vi.stubEnv('DNS_SERVERS', `127.0.0.1:${server.port}`);
  vi.resetModules();
  const { observe } = await import('@/server/monitor-types/probes');
  const { assertCheckable } = await import('@/server/monitors/assert-checkable');
  const { names } = await import('@/server/platform/net');
  vi.spyOn(names, 'search', 'get').mockReturnValue(search);
  const check = async (host: string, recordType: string, changes = {}) => {
    const config = DnsConfig.parse({ host, recordType, timeoutMs: 2_000, ...changes });
    const { outcome, error, evidence } = await observe({ type: 'dns', config }, asTeam());
    return { outcome, says: error ?? evidence?.join() ?? '' };
  };
  const save = (host: string, changes = {}) =>
    assertCheckable({ type: 'dns', config: DnsConfig.parse({ host, recordType: 'A', ...changes }) });
  return { observe, check, save };
}

const ASKED = /internal host name/;
const ANSWERED = /contains private addresses/;

describe('dns monitor without a resolver, private targets not allowed', () => {
  it.each([
    ['db.corp.internal', 'A'],
    ['db.corp.internal', 'TXT'],
    ['intranet', 'A'],
    ['printer.local', 'AAAA'],
    ['nas.home.arpa', 'A'],
    ['app.localhost', 'A'],
    ['DB.Team.Example.COM', 'TXT'],
    ['10.0.0.7', 'PTR'],
    ['7.0.0.10.in-addr.arpa', 'PTR'],
    ['168.192.in-addr.arpa', 'NS'],
    ['fd00::7', 'PTR'],
  ])('neither queries %s %s nor is saved', async (host, type) => {
    const { check, save } = await instance(false, ['team.example.com']);
    const seen = await check(host, type);
    expect(seen).toEqual({ outcome: 'unknown', says: expect.stringMatching(ASKED) });
    expect(server.asked).toEqual([]);
    expect(() => save(host)).toThrow(ASKED);
  });

  it.each([
    ['inside.example.com', 'A'],
    ['inside.example.com', 'AAAA'],
    ['inside.example.com', 'MX'],
    ['inside.example.com', 'NS'],
    ['inside.example.com', 'SRV'],
    ['8.8.4.4', 'PTR'],
  ])('hides an answer with internal data: %s %s', async (host, type) => {
    const { check } = await instance(false);
    expect(await check(host, type)).toEqual({ outcome: 'unknown', says: expect.stringMatching(ANSWERED) });
  });

  it('hides the target of an alias of an internal name, whatever else the alias returns', async () => {
    const { check } = await instance(false);
    aliases = { 'TXT public.example.com': 'db.corp.internal' };
    zone['TXT public.example.com'] = [SECRET];
    const seen = await check('public.example.com', 'TXT');
    expect(seen).toEqual({ outcome: 'unknown', says: expect.stringMatching(ANSWERED) });
    aliases = { 'public.example.com': 'db.corp.internal' };
    expect((await check('public.example.com', 'CNAME')).says).toMatch(ANSWERED);
  });

  it.each([[3], [2], [[]]])('does not reveal by %j whether the internal name of an alias exists', async (said) => {
    const { check, observe } = await instance(false);
    aliases = { 'public.example.com': 'db.corp.internal' };
    for (const type of ['A', 'AAAA', 'TXT']) zone[`${type} public.example.com`] = said as Reply;
    expect((await check('public.example.com', 'A')).says).toMatch(ANSWERED);
    const config = definitions.tcp.schema.parse({ host: 'public.example.com', port: 80, timeoutMs: 2_000 });
    const seen = await observe({ type: 'tcp', config }, asTeam());
    expect(seen).toMatchObject({ outcome: 'unknown', error: expect.stringContaining('private or reserved') });
  });

  it('checks public names', async () => {
    const { check, save } = await instance(false);
    expect(await check('public.example.com', 'A')).toEqual({ outcome: 'ok', says: '8.8.8.8' });
    expect(await check('public.example.com', 'TXT')).toEqual({ outcome: 'ok', says: 'v=spf1 -all' });
    expect(await check('8.8.8.8', 'PTR')).toEqual({ outcome: 'ok', says: 'dns.google' });
    expect(() => save('public.example.com')).not.toThrow();
  });

  it('rejects a private resolver, and may query a public one for any name', async () => {
    const { check, save } = await instance(false);
    const resolver = `127.0.0.1:${server.port}`;
    expect((await check('db.corp.internal', 'A', { resolver })).says).toMatch(/private or reserved/);
    expect(() => save('db.corp.internal', { resolver })).toThrow(/private or reserved/);
    expect(() => save('db.corp.internal', { resolver: '8.8.8.8' })).not.toThrow();
    expect(server.asked).toEqual([]);
  });
});

describe('dns monitor with private targets allowed', () => {
  it('reads the internal zone without a resolver', async () => {
    const { check, save } = await instance(true, ['corp.internal']);
    expect(await check('db.corp.internal', 'TXT')).toEqual({ outcome: 'ok', says: SECRET });
    expect(await check('inside.example.com', 'A')).toEqual({ outcome: 'ok', says: '10.0.0.7' });
    expect(() => save('db.corp.internal')).not.toThrow();
  });
});
