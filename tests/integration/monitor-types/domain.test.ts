import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '@/server/time/schema';
import { asTeam, closedPort, httpTarget, type Target } from '@/tests/integration/checks/targets';

// Modules of its own: the caches of registries start empty.

const YEAR = 365 * DAY_MS;
const AT = new Date('2026-06-01T12:00:00Z');

let server: Target;
let probes: typeof import('@/server/monitor-types/probes');
let rules: typeof import('@/server/monitor-types/evaluate');
let schema: typeof import('@/server/monitor-types/schema');

/** How the RDAP server answers for each domain. */
const answers = new Map<string, (response: ServerResponse) => void>();
/** The paths that were asked for. */
let asked: string[] = [];

/** A domain as registries describe it (RFC 9083 §5.3). */
const registration = (name: string, expires: string | null, status = ['active']) => ({
  objectClassName: 'domain',
  rdapConformance: ['rdap_level_0'],
  ldhName: name,
  status,
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T04:05:06Z' },
    ...(expires === null ? [] : [{ eventAction: 'expiration', eventDate: expires }]),
  ],
});

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(value));

/** Returns how the loopback server responds to a path: the list of registries, or a domain of its registry. */
function responseTo(path: string, accept: string | undefined): (response: ServerResponse) => void {
  const base = `http://localhost:${server.port}`;
  if (path === '/dns.json') {
    const services = [
      [['test', 'co.test'], [`${base}/registry/`]],
      [['broken'], []],
      [['closed'], [`http://localhost:${closed}/`]],
    ];
    return json({ version: '1.0', publication: '2026-01-01T00:00:00Z', services }, listStatus);
  }
  if (accept !== 'application/rdap+json') return json({}, 406);
  return answers.get(path.replace('/registry/domain/', '')) ?? json({ errorCode: 404 }, 404);
}

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  asked.push(url);
  responseTo(url, headers.accept)(response);
}

let closed = 0;
let listStatus = 200;

beforeAll(async () => {
  closed = await closedPort();
  server = await httpTarget(answer);
  vi.stubEnv('RDAP_BOOTSTRAP_URL', `http://localhost:${server.port}/dns.json`);
  vi.resetModules();
  probes = await import('@/server/monitor-types/probes');
  rules = await import('@/server/monitor-types/evaluate');
  schema = await import('@/server/monitor-types/schema');
});
afterAll(() => server?.close());
beforeEach(() => {
  asked = [];
});

async function check(domain: string, changes: Record<string, unknown> = {}, teamId = 'team') {
  const config = schema.definitions.domain.schema.parse({ domain, ...changes });
  const target = { type: 'domain', config } as const;
  const seen = await probes.observe(target, { ...asTeam(), teamId });
  return { ...seen, ...rules.evaluate(target, seen, AT), rules: rules.rulesOf(target, seen, AT) };
}

const day = (offset: number) => new Date(AT.getTime() + offset * DAY_MS).toISOString();

describe('domain probe', () => {
  it('is up if the registration lasts, and asks the list and the registry once', async () => {
    answers.set('northwind.test', json(registration('northwind.test', new Date(AT.getTime() + YEAR).toISOString())));
    const [first] = await Promise.all([check('Northwind.test'), check('another.test')]);
    expect(first).toMatchObject({
      status: 'up',
      error: null,
      certificate: null,
      evidence: { isRegistered: true, expiresAt: '2027-06-01T12:00:00.000Z' },
      rules: [{ rule: 'domain is registered for 30 more days', value: 'until 2027-06-01', isMet: true }],
    });
    expect([...asked].sort()).toEqual([
      '/dns.json',
      '/registry/domain/another.test',
      '/registry/domain/northwind.test',
    ]);
    const again = await check('northwind.test', { warnDays: 0 }, 'another team');
    expect(again).toMatchObject({
      status: 'up',
      latencyMs: first.latencyMs,
      rules: [{ rule: 'domain is registered' }],
    });
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['soon.test', day(10), {}, 'degraded', 'Domain expires in 10 days, on 2026-06-11'],
    ['soon.test', day(10), { warnDays: 5 }, 'up', null],
    ['soon.test', day(10), { warnDays: 0 }, 'up', null],
    ['past.test', day(-1), { warnDays: 0 }, 'down', 'Domain expired on 2026-05-31'],
  ])('judges %s, which expires on %s, with %j as %s', async (name, expires, changes, status, error) => {
    answers.set(name, json(registration(name, expires)));
    expect(await check(name, changes)).toMatchObject({ status, error });
  });

  it('is down if the domain is not registered, or does not work', async () => {
    expect(await check('unknown.test')).toMatchObject({
      status: 'down',
      error: 'The domain is not registered',
      rules: [{ value: 'not registered', isMet: false }],
    });
    answers.set('held.test', json(registration('held.test', day(400), ['active', 'Client Hold'])));
    expect(await check('held.test')).toMatchObject({
      status: 'down',
      error: 'The registration of the domain has the status "client hold"',
    });
  });

  it('asks the server of the longest part of the name', async () => {
    answers.set('shop.co.test', json(registration('shop.co.test', day(400))));
    expect(await check('shop.co.test')).toMatchObject({ status: 'up' });
    expect(asked).toEqual(['/registry/domain/shop.co.test']);
  });

  it.each([
    ['a.nowhere', 'The registry of .nowhere does not publish registrations by RDAP'],
    ['a.broken', 'The registry of .broken does not publish registrations by RDAP'],
    ['a.closed', 'The registry could not be asked: Connection refused'],
  ])('is unknown for %s, whose registry cannot be asked', async (name, error) => {
    expect(await check(name)).toMatchObject({ status: 'unknown', outcome: 'unknown', error });
  });

  it.each([
    ['limited', json({}, 429), 'The registry could not be asked: status 429'],
    ['dateless', json(registration('x', null)), 'The registry does not say when the domain expires'],
    ['wrong', json(registration('x', 'tomorrow')), 'The registry does not say when the domain expires'],
    ['html', (response: ServerResponse) => void response.end('<html>'), /not the expected JSON$/],
    ['odd', json({ events: 'none' }), /not the expected JSON$/],
    ['huge', json({ events: [], remarks: 'x'.repeat(70_000) }), /larger than 64 KiB$/],
    ['many', json({ events: Array(101).fill({ eventAction: 'a', eventDate: 'b' }) }), /not the expected JSON$/],
    [
      'reset',
      (response: ServerResponse) => void response.socket?.resetAndDestroy(),
      /^The registry could not be asked: /,
    ],
    [
      'away',
      (response: ServerResponse) => void response.writeHead(302, { location: '/registry/domain/away.test' }).end(),
      /redirects/,
    ],
  ])('is unknown if the answer is %s, and asks again only later', async (name, say, error) => {
    answers.set(`${name}.test`, say);
    const seen = await check(`${name}.test`);
    expect(seen).toMatchObject({ status: 'unknown', error: expect.stringMatching(error) });
    const before = asked.length;
    expect(await check(`${name}.test`)).toMatchObject({ status: 'unknown', error: seen.error });
    expect(asked).toHaveLength(before);
  });

  it('keeps a failure from other teams, because the timeout may be the cause', async () => {
    let delayMs = 1_000;
    answers.set(
      'slow.test',
      (response) => void setTimeout(() => json(registration('slow.test', day(400)))(response), delayMs),
    );
    expect(await check('slow.test', { timeoutMs: 150 })).toMatchObject({
      status: 'unknown',
      error: 'The registry could not be asked: No response within 0.2 s',
    });
    delayMs = 0;
    expect(await check('slow.test', {}, 'another team')).toMatchObject({ status: 'up' });
  });

  it('keeps no failure if the check is stopped', async () => {
    answers.set('stopped.test', (response) => void setTimeout(() => json(registration('x', day(400)))(response), 100));
    const stop = new AbortController();
    const config = schema.definitions.domain.schema.parse({ domain: 'stopped.test' });
    const running = probes.observe({ type: 'domain', config }, asTeam(stop.signal));
    setTimeout(() => stop.abort(new Error('stopped')), 20);
    await expect(running).rejects.toThrow('stopped');
    expect(await check('stopped.test')).toMatchObject({ status: 'up' });
  });
});

it('asks again after an hour, and uses the former list of registries if it cannot be read again', async () => {
  answers.set('later.test', json(registration('later.test', day(400))));
  expect(await check('later.test')).toMatchObject({ status: 'up' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  await check('later.test');
  expect(asked).toEqual(['/registry/domain/later.test', '/registry/domain/later.test']);
  listStatus = 500;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
  expect(await check('later.test')).toMatchObject({ status: 'up' });
  expect(await check('unknown.test')).toMatchObject({ status: 'down' });
  expect(asked.slice(2)).toEqual(['/dns.json', '/registry/domain/later.test', '/registry/domain/unknown.test']);
  vi.useRealTimers();
});

describe('config of a domain', () => {
  it.each(['localhost', '192.0.2.1', 'a..test', 'a.test.', 'https://a.test', ''])('refuses %j', (domain) => {
    expect(schema.definitions.domain.schema.safeParse({ domain }).success).toBe(false);
  });
  it('accepts an international name in its ASCII form', () => {
    expect(schema.definitions.domain.schema.parse({ domain: 'XN--bcher-kva.example' }).domain).toBe(
      'xn--bcher-kva.example',
    );
  });
});
