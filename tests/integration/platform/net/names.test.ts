import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from '@/server/platform/net';
import { codeOf } from '@/server/platform/net/dns/dns-failure';
import { Names } from '@/server/platform/net/dns/names';
import type { NameSystem } from '@/server/platform/net/dns/system';
import { until } from '@/tests/support/receivers';
import { type DnsServer, dnsServer, type Reply } from '@/tests/support/servers/dns-server';
import { asker } from './asker';

const both = { 4: true, 6: true, prefers6: false, loopback6: true };
const open: DnsServer[] = [];
let zone: Record<string, Reply | (() => Reply | Promise<Reply>)> = {};
let server: DnsServer;

async function serve(ttlSeconds = 60, own = zone): Promise<DnsServer> {
  const started = await dnsServer(
    (type, name) => {
      const said = own[`${type} ${name}`];
      return typeof said === 'function' ? said() : (said ?? (own[`A ${name}`] || own[`AAAA ${name}`] ? [] : 3));
    },
    { ttlSeconds },
  );
  open.push(started);
  return started;
}

const at = ({ port }: DnsServer) => `127.0.0.1:${port}`;

function namesOf(changes: Partial<NameSystem> = {}, { families = both, slots = 64 } = {}): Names {
  const system: NameSystem = {
    servers: [at(server)],
    search: [],
    ndots: 1,
    timeoutMs: null,
    attempts: null,
    hosts: new Map(),
    ...changes,
  };
  return new Names(
    () => system,
    () => families,
    slots,
  );
}

const options = (changes = {}) => ({ family: 0 as const, fresh: false, ...asker(), ...changes });
const addresses = async (names: Names, name: string, changes = {}) =>
  (await names.resolve(name, options(changes))).map(({ address }) => address);
const failure = (names: Names, name: string, changes = {}) =>
  names.resolve(name, options(changes)).then(
    () => 'resolved',
    (error: unknown) => codeOf(error),
  );

beforeEach(async () => {
  zone = {};
  server = await serve();
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((each) => each.close()));
});

describe('name resolution', () => {
  it('returns the addresses of both families, queried at once', async () => {
    zone['A www.test'] = ['192.0.2.1', '192.0.2.2'];
    zone['AAAA www.test'] = ['2001:db8:0:0:0:0:0:1'];
    expect(await addresses(namesOf(), 'www.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await addresses(namesOf({}, { families: { ...both, prefers6: true } }), 'www.test')).toEqual([
      '2001:db8::1',
      '192.0.2.1',
      '192.0.2.2',
    ]);
  });

  it('returns one family on request, or if this machine has no other', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    zone['AAAA www.test'] = ['2001:db8:0:0:0:0:0:1'];
    const names = namesOf();
    expect(await addresses(names, 'www.test', { family: 6 })).toEqual(['2001:db8::1']);
    expect(await addresses(names, 'www.test', { family: 4 })).toEqual(['192.0.2.1']);
    const only4 = namesOf({}, { families: { ...both, 6: false } });
    expect(await addresses(only4, 'www.test')).toEqual(['192.0.2.1']);
  });

  it('reports addresses in a family alone that this machine does not have', async () => {
    zone['AAAA six.test'] = ['2001:db8:0:0:0:0:0:1'];
    expect(await failure(namesOf({}, { families: { ...both, 6: false } }), 'six.test')).toBe('ENETUNREACH');
  });

  it('follows aliases', async () => {
    zone['A www.test'] = () => ['192.0.2.1'];
    const aliased = await dnsServer((type) => (type === 'A' ? ['192.0.2.1'] : []), { alias: 'real.test' });
    open.push(aliased);
    expect(await addresses(namesOf({ servers: [at(aliased)] }), 'www.test')).toEqual(['192.0.2.1']);
  });

  it('does not wait for the other family if half the servers are silent about it', async () => {
    zone['A half.test'] = ['192.0.2.1'];
    zone['AAAA half.test'] = 'silence';
    const started = performance.now();
    expect(await addresses(namesOf(), 'half.test')).toEqual(['192.0.2.1']);
    expect(performance.now() - started).toBeLessThan(900);
  });

  it.each([
    ['ENOTFOUND', 3],
    ['ENODATA', []],
    ['ESERVFAIL', 2],
    ['EREFUSED', 5],
  ])('fails with %s', async (code, said) => {
    zone['A gone.test'] = said as Reply;
    zone['AAAA gone.test'] = said as Reply;
    expect(await failure(namesOf(), 'gone.test')).toBe(code);
  });

  it("fails rather than omit an address if one family's answer is missing", async () => {
    zone['A half.test'] = [];
    zone['AAAA half.test'] = 2;
    expect(await failure(namesOf(), 'half.test')).toBe('ESERVFAIL');
  });

  it('does not query invalid names', async () => {
    expect(await failure(namesOf(), `${'x'.repeat(64)}.test`)).toBe('EBADNAME');
    expect(server.asked).toEqual([]);
  });
});

describe('names without a name server', () => {
  it('resolves names by the hosts file, unless it has no address of the family', async () => {
    zone['AAAA app.test'] = ['2001:db8:0:0:0:0:0:1'];
    const names = namesOf({ hosts: new Map([['app.test', [{ address: '10.0.0.1', family: 4 as const }]]]) });
    expect(await addresses(names, 'app.test')).toEqual(['10.0.0.1']);
    expect(server.asked).toEqual([]);
    expect(await addresses(names, 'app.test', { family: 6 })).toEqual(['2001:db8::1']);
  });

  it('resolves localhost and its subdomains without a name server', async () => {
    const names = namesOf();
    expect(await addresses(names, 'localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await addresses(names, 'app.localhost', { family: 4 })).toEqual(['127.0.0.1']);
    expect(await addresses(namesOf({}, { families: { ...both, loopback6: false } }), 'localhost')).toEqual([
      '127.0.0.1',
    ]);
    expect(server.asked).toEqual([]);
  });
});

describe('name under .invalid', () => {
  it('does not exist, and is not queried', async () => {
    expect(await failure(namesOf(), 'nowhere.invalid')).toBe('ENOTFOUND');
    expect(server.asked).toEqual([]);
  });
});

describe('changed resolver settings', () => {
  it('apply at once, and invalidate earlier answers', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    const system: NameSystem = {
      servers: [at(server)],
      search: [],
      ndots: 1,
      timeoutMs: null,
      attempts: null,
      hosts: new Map(),
    };
    let current = system;
    const names = new Names(
      () => current,
      () => both,
    );
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.1']);
    const other = await serve(60, { 'A www.test': ['192.0.2.2'] });
    current = { ...system, servers: [at(other)] };
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.2']);
  });
});

describe('search list', () => {
  it('completes short names, in order, and no others', async () => {
    zone['A intranet.two.test'] = ['10.0.0.2'];
    zone['A www.example.one.test'] = ['10.0.0.3'];
    const names = namesOf({ search: ['one.test', 'two.test'] });
    expect(await addresses(names, 'intranet')).toEqual(['10.0.0.2']);
    expect(await failure(names, 'www.example')).toBe('ENOTFOUND');
    const asked = server.asked.filter((question) => question.startsWith('A '));
    expect(asked).toEqual(['A intranet.one.test udp', 'A intranet.two.test udp', 'A www.example udp']);
  });
});

describe('cached answers', () => {
  it('shares an answer between concurrent queries', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    const names = namesOf();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => addresses(names, 'www.test', { teamId: `${index % 5}` })),
    );
    expect(server.asked.filter((question) => question === 'A www.test udp')).toHaveLength(1);
  });

  it('caches answers for their TTL, 30 s at most, but not for callers that ask for a fresh one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    zone['A www.test'] = ['192.0.2.1'];
    server = await serve(3_600);
    const names = namesOf();
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.1']);
    zone['A www.test'] = ['192.0.2.2'];
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.1']);
    vi.advanceTimersByTime(29_000);
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.1']);
    vi.advanceTimersByTime(1_000);
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.2']);
    zone['A www.test'] = ['192.0.2.3'];
    expect(await addresses(names, 'www.test', { fresh: true })).toEqual(['192.0.2.3']);
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.3']);
  });

  it('expire at once with a TTL of 0', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    server = await serve(0);
    const names = namesOf();
    await addresses(names, 'www.test');
    zone['A www.test'] = ['192.0.2.2'];
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.2']);
  });

  it('expire after 1 s if they are failures', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const names = namesOf();
    expect(await failure(names, 'back.test')).toBe('ENOTFOUND');
    zone['A back.test'] = ['192.0.2.1'];
    expect(await failure(names, 'back.test')).toBe('ENOTFOUND');
    vi.advanceTimersByTime(1_000);
    expect(await addresses(names, 'back.test')).toEqual(['192.0.2.1']);
  });
});

describe('name servers', () => {
  it('queries a name server again after a lost datagram', async () => {
    let asked = 0;
    zone['A lossy.test'] = () => (++asked === 1 ? 'silence' : ['192.0.2.1']);
    expect(await addresses(namesOf(), 'lossy.test', { family: 4 })).toEqual(['192.0.2.1']);
    expect(asked).toBe(2);
  });

  it('accepts the slow answer of a name server after a retry', async () => {
    let asked = 0;
    zone['A slow.test'] = async () => {
      asked += 1;
      if (asked > 1) return 'silence';
      await new Promise((resolve) => setTimeout(resolve, 1_400));
      return ['192.0.2.1'];
    };
    expect(await addresses(namesOf(), 'slow.test', { family: 4 })).toEqual(['192.0.2.1']);
    expect(asked).toBe(2);
  });

  it.each(['silence', 2, 5] as Reply[])('queries the next name server if the first returns %j', async (said) => {
    const first = await serve(60, { 'A www.test': said, 'AAAA www.test': said });
    zone['A www.test'] = ['192.0.2.1'];
    const names = namesOf({ servers: [at(first), at(server)] });
    expect(await addresses(names, 'www.test')).toEqual(['192.0.2.1']);
  });

  it('queries the next name server if the first is not listening, which says nothing about the name', async () => {
    const gone = await serve();
    await open.pop()?.close();
    zone['A www.test'] = ['192.0.2.1'];
    expect(await addresses(namesOf({ servers: [at(gone), at(server)] }), 'www.test')).toEqual(['192.0.2.1']);
    const names = namesOf({ servers: [at(gone)] });
    expect(await failure(names, 'www.test')).toBe('ECONNREFUSED');
  });

  it('queries silent name servers last for a while', async () => {
    const silent = await dnsServer(() => 'silence');
    open.push(silent);
    const names = namesOf({ servers: [at(silent), at(server)] });
    for (const name of ['a.test', 'b.test', 'c.test', 'd.test']) {
      zone[`A ${name}`] = ['192.0.2.1'];
      await addresses(names, name, { family: 4 });
    }
    expect(silent.asked).not.toContain('A d.test udp');
  });

  it('ignores an answer that does not match the question', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    const forging = await dnsServer((type) => (type === 'A' ? ['192.0.2.66'] : []), { question: 'other.test' });
    open.push(forging);
    const names = namesOf({ servers: [at(forging), at(server)] });
    expect(await addresses(names, 'www.test', { family: 4 })).toEqual(['192.0.2.1']);
  });
});

describe('DNS queues of teams', () => {
  it('keeps the DNS queues of teams independent, even for the same name', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    for (let index = 0; index < 20; index += 1) zone[`A silent-${index}.test`] = 'silence';
    const names = namesOf({ timeoutMs: 1_000, attempts: 1 }, { slots: 4 });
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    // Both teams are active: each keeps some slots.
    zone['A first.test'] = ['192.0.2.1'];
    await addresses(names, 'first.test', { teamId: 'quiet', family: 4 });
    const noise = Array.from({ length: 20 }, (_, index) =>
      failure(names, `silent-${index}.test`, { ...asker(stop.signal, 'noisy'), family: 4 }),
    );
    const lined = failure(names, 'www.test', { ...asker(stop.signal, 'noisy'), family: 4 });
    await until(() => server.asked.some((question) => question.startsWith('A silent')), 2_000);
    const started = performance.now();
    expect(await addresses(names, 'www.test', { teamId: 'quiet', family: 4 })).toEqual(['192.0.2.1']);
    expect(performance.now() - started).toBeLessThan(900);
    stop.abort();
    await Promise.all([...noise, lined]);
  });

  it('charges no DNS query for the time that it waits for a slot', async () => {
    zone['A www.test'] = ['192.0.2.1'];
    zone['A silent.test'] = 'silence';
    const names = namesOf({ timeoutMs: 1_000, attempts: 1 }, { slots: 1 });
    const silent = failure(names, 'silent.test', { family: 4 });
    const deadline = new Deadline({ timeoutMs: 500, reason: () => new Error('late') });
    expect(await addresses(names, 'www.test', { by: deadline, family: 4 })).toEqual(['192.0.2.1']);
    expect(deadline.now()).toBeLessThan(400);
    deadline.end();
    expect(await silent).toBe('ETIMEOUT');
  });
});

describe('DNS outage', () => {
  const fails = async (names: Names, name: string) => {
    const since = performance.now();
    const error = await names.resolve(name, options()).catch((reason: unknown) => reason);
    return names.isOutage(error, since);
  };
  const quick = { timeoutMs: 300, attempts: 1 };

  it("is the name's if the name servers answer other queries", async () => {
    Object.assign(zone, { 'A silent.test': 'silence', 'AAAA silent.test': 'silence', 'A broken.test': 2, 'NS ': [] });
    const names = namesOf(quick);
    expect(await fails(names, 'silent.test')).toBe(false);
    expect(await fails(names, 'broken.test')).toBe(false);
  });

  it('is ours if they answer nothing', async () => {
    let isDown = false;
    zone['NS '] = () => (isDown ? 'silence' : []);
    zone['A www.test'] = () => (isDown ? 'silence' : ['192.0.2.1']);
    zone['AAAA www.test'] = () => (isDown ? 'silence' : []);
    server = await serve(0);
    const names = namesOf(quick);
    await addresses(names, 'www.test');
    await until(() => server.asked.includes('NS  udp'), 2_000);
    isDown = true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await fails(names, 'www.test')).toBe(true);
  });

  it('is ours if they never answered anything', async () => {
    const silent = await dnsServer(() => 'silence');
    open.push(silent);
    expect(await fails(namesOf({ ...quick, servers: [at(silent)] }), 'www.test')).toBe(true);
  });

  it("is the name's if they answer other names, but never this one", async () => {
    zone['NS '] = 5;
    zone['A www.test'] = ['192.0.2.1'];
    Object.assign(zone, { 'A silent.test': 'silence', 'AAAA silent.test': 'silence' });
    const names = namesOf(quick);
    await addresses(names, 'www.test');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await fails(names, 'silent.test')).toBe(false);
  });
});
