import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObserveOptions } from '@/server/monitor-types/probes';
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
      [['busy'], [`${base}/busy/`]],
      [['full'], [`${base}/full`]],
      [['broken'], []],
      [['closed'], [`http://localhost:${closed}/`]],
    ];
    return json({ version: '1.0', publication: '2026-01-01T00:00:00Z', services }, listStatus);
  }
  if (accept !== 'application/rdap+json') return json({}, 406);
  return answers.get(path.replace(/^.*\/domain\//, '')) ?? json({ errorCode: 404 }, 404);
}

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  asked.push(url);
  const respond = () => responseTo(url, headers.accept)(response);
  if (url === '/dns.json' && listDelayMs > 0) setTimeout(respond, listDelayMs);
  else respond();
}

let closed = 0;
let listStatus = 200;
let listDelayMs = 0;

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
afterEach(() => {
  vi.useRealTimers();
});

async function check(
  domain: string,
  { teamId = 'team', fresh = false, ...changes }: Record<string, unknown> & Partial<ObserveOptions> = {},
) {
  const config = schema.definitions.domain.schema.parse({ domain, ...changes });
  const target = { type: 'domain', config } as const;
  const seen = await probes.observe(target, { ...asTeam(), teamId, fresh });
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
    const again = await check('northwind.test', { warnDays: 0, teamId: 'another team' });
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
      rules: [{ value: 'until 2027-07-06, client hold', isMet: false }],
    });
  });

  it('judges a domain without a date of expiry by its status, and is unknown if it shall warn', async () => {
    answers.set('dateless.test', json(registration('x', null)));
    const unknown = { status: 'unknown', error: 'The registry does not say when the domain expires' };
    expect(await check('dateless.test')).toMatchObject(unknown);
    expect(await check('dateless.test', { warnDays: 0 })).toMatchObject({
      status: 'up',
      rules: [{ rule: 'domain is registered', value: 'registered', isMet: true }],
    });
    answers.set('lost.test', json(registration('x', null, ['pending delete'])));
    const error = 'The registration of the domain has the status "pending delete"';
    expect(await check('lost.test')).toMatchObject({ status: 'down', error });
    expect(await check('lost.test', { warnDays: 0 })).toMatchObject({ status: 'down', error });
    // Asking again would not help.
    const before = asked.length;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    expect(await check('dateless.test', { fresh: true })).toMatchObject(unknown);
    expect(asked).toHaveLength(before);
  });

  it('is unknown for a subdomain, and names the domain', async () => {
    answers.set('parent.test', json(registration('parent.test', day(400))));
    expect(await check('www.parent.test')).toMatchObject({
      status: 'unknown',
      error: 'parent.test is registered, and www.parent.test is below it: enter parent.test',
    });
    expect(await check('www.nobody.test')).toMatchObject({ status: 'down', error: 'The domain is not registered' });
    expect(await check('nobody.co.test')).toMatchObject({ status: 'down' });
    expect(asked.map((path) => path.replace('/registry/domain/', ''))).toEqual([
      'www.parent.test',
      'parent.test',
      'www.nobody.test',
      'nobody.test',
      'nobody.co.test',
    ]);
  });

  it('really asks again to confirm a change, but not twice within 5 s', async () => {
    expect(await check('renewed.test')).toMatchObject({ status: 'down' });
    answers.set('renewed.test', json(registration('renewed.test', day(400))));
    expect(await check('renewed.test', { fresh: true })).toMatchObject({ status: 'down' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    expect(await check('renewed.test')).toMatchObject({ status: 'down' });
    expect(await check('renewed.test', { fresh: true })).toMatchObject({ status: 'up' });
    expect(await check('renewed.test')).toMatchObject({ status: 'up' });
    expect(asked).toHaveLength(2);
  });

  it('confirms with no former answer that a domain is not registered', async () => {
    expect(await check('doubtful.test')).toMatchObject({ status: 'down' });
    answers.set('doubtful.test', json({}, 500));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    expect(await check('doubtful.test', { fresh: true })).toMatchObject({ status: 'unknown' });
  });

  it('uses the last answer for a day while the registry cannot be asked', async () => {
    answers.set('spare.test', json(registration('spare.test', day(400))));
    const first = await check('spare.test');
    answers.set('spare.test', json({}, 500));
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 23 * 3_600_000 });
    for (const fresh of [false, true]) {
      expect(await check('spare.test', { fresh })).toMatchObject({ status: 'up', latencyMs: first.latencyMs });
    }
    expect(asked.filter((path) => path.endsWith('/spare.test'))).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: now + 25 * 3_600_000 });
    expect(await check('spare.test')).toMatchObject({ status: 'unknown', error: expect.stringMatching(/status 500$/) });
    // The list of registries is a day old then, too.
    await vi.waitFor(() => expect(asked).toContain('/dns.json'));
  });

  it.each([
    ['busy', '120', 120],
    ['full', '999999', 3_600],
  ])('asks a registry that limits requests again after its time: .%s', async (top, retryAfter, seconds) => {
    answers.set(`one.${top}`, (response) => void response.writeHead(429, { 'retry-after': retryAfter }).end());
    answers.set(`two.${top}`, json(registration('x', day(400))));
    answers.set(`three.${top}`, json(registration('x', day(400))));
    expect(await check(`one.${top}`)).toMatchObject({ error: 'The registry could not be asked: status 429' });
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + (seconds - 10) * 1_000 });
    expect(await check(`two.${top}`)).toMatchObject({
      status: 'unknown',
      error: 'The registry could not be asked: it limits requests',
    });
    expect(asked.filter((path) => path.endsWith(`two.${top}`))).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: now + (seconds + 10) * 1_000 });
    expect(await check(`three.${top}`)).toMatchObject({ status: 'up' });
  });

  it('makes one request for concurrent checks, which shows as evidence of each', async () => {
    answers.set('shared.test', (response) => void setTimeout(() => json(registration('x', day(400)))(response), 50));
    const seen = await Promise.all([check('shared.test'), check('shared.test', { teamId: 'another', fresh: true })]);
    for (const each of seen) {
      expect(each).toMatchObject({
        status: 'up',
        trace: { exchanges: [{ line: 'GET /registry/domain/shared.test HTTP/1.1' }] },
      });
    }
    expect(asked).toEqual(['/registry/domain/shared.test']);
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
    ['refused', json({}, 403), 'The registry could not be asked: status 403'],
    [
      'page',
      (response: ServerResponse) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'),
      'The registry could not be asked: status 404',
    ],
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

  it('keeps no failure of a check whose own timeout is too short', async () => {
    answers.set('slow.test', (response) => void setTimeout(() => json(registration('x', day(400)))(response), 1_000));
    expect(await check('slow.test', { timeoutMs: 150 })).toMatchObject({
      status: 'unknown',
      error: 'The registry could not be asked: No response within 0.2 s',
    });
    expect(await check('slow.test', { teamId: 'another team' })).toMatchObject({ status: 'up' });
    expect(asked).toHaveLength(1);
  });

  it('rejects if the check is stopped, and lets its request go on', async () => {
    answers.set('stopped.test', (response) => void setTimeout(() => json(registration('x', day(400)))(response), 100));
    const stop = new AbortController();
    const config = schema.definitions.domain.schema.parse({ domain: 'stopped.test' });
    const running = probes.observe({ type: 'domain', config }, asTeam(stop.signal));
    setTimeout(() => stop.abort(new Error('stopped')), 20);
    await expect(running).rejects.toThrow('stopped');
    expect(await check('stopped.test')).toMatchObject({ status: 'up' });
    expect(asked).toHaveLength(1);
  });
});

it('asks again after an hour, and uses the former list of registries if it cannot be read again', async () => {
  answers.set('later.test', json(registration('later.test', day(400))));
  expect(await check('later.test')).toMatchObject({ status: 'up' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  await check('later.test');
  expect(asked).toEqual(['/registry/domain/later.test', '/registry/domain/later.test']);
  listStatus = 500;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * DAY_MS });
  expect(await check('later.test')).toMatchObject({ status: 'up' });
  expect(await check('unknown.test')).toMatchObject({ status: 'down' });
  expect(asked.slice(2).filter((path) => path !== '/dns.json')).toEqual([
    '/registry/domain/later.test',
    '/registry/domain/unknown.test',
  ]);
  await vi.waitFor(() => expect(asked).toContain('/dns.json'));
});

it('does not wait for a new list of registries if it has a former one', async () => {
  answers.set('waits.test', json(registration('waits.test', day(1_000))));
  await check('waits.test');
  listDelayMs = 2_000;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * DAY_MS });
  expect(await check('waits.test', { timeoutMs: 1_000 })).toMatchObject({ status: 'up' });
  await vi.waitFor(() => expect(asked).toContain('/dns.json'));
});

describe('config of a domain', () => {
  it('names the ASCII form of an international name', () => {
    const { error } = schema.definitions.domain.schema.safeParse({ domain: 'München.de' });
    expect(error?.issues).toMatchObject([{ message: 'Enter the ASCII form of the domain: xn--mnchen-3ya.de.' }]);
  });
  it.each(['localhost', '192.0.2.1', 'a..test', 'a.test.', 'https://a.test', ''])('refuses %j', (domain) => {
    expect(schema.definitions.domain.schema.safeParse({ domain }).success).toBe(false);
  });
  it('accepts an international name in its ASCII form', () => {
    expect(schema.definitions.domain.schema.parse({ domain: 'XN--bcher-kva.example' }).domain).toBe(
      'xn--bcher-kva.example',
    );
  });
});
