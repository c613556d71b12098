import { describe, expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { httpMonitor, makeKey, rest, signUp } from '@/tests/support/rest';

// Set before the server reads its settings: a limit that a test can reach.
vi.hoisted(() => {
  process.env.RATE_LIMIT_PER_MINUTE = '120';
  process.env.AUTH_RATE_LIMIT_PER_MINUTE = '20';
});

describe('rate limits', () => {
  it('apply per credential, with the documented headers', async () => {
    const { headers } = await rest('GET', '/api/v1/monitors', { token: await makeKey(await signUp()) });
    expect(headers.get('ratelimit-limit')).toBe('120');
    expect(headers.get('ratelimit-remaining')).toBe('119');
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  });

  it('limits concurrent requests exactly', async () => {
    const limited = await makeKey(await signUp());
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => rest('GET', '/api/v1/incidents?limit=1', { token: limited })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body).toEqual({ error: { code: 'RATE_LIMITED', status: 429, message: expect.any(String) } });
    expect(refused[0]?.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('let a team open a tenth as many incidents, whatever the credential, but not count them for another team', async () => {
    const person = await signUp();
    const tokens = [person.token, await makeKey(person)];
    const open = (token = '') => rest('POST', '/api/v1/incidents', { token, body: { title: 'By hand' } });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => open(tokens[index % 2])));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(12);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await rest('GET', '/api/v1/incidents?limit=1', { token: person.token })).status).toBe(200);
    expect((await open((await signUp()).token)).status).toBe(201);
  });

  it('reset after 1 min, even if the clock was set back meanwhile', async () => {
    const token = await makeKey(await signUp());
    const ask = () => rest('GET', '/api/v1/incidents?limit=1', { token });
    await Promise.all(Array.from({ length: 120 }, ask));
    expect((await ask()).status).toBe(429);
    const [wall, steady] = [Date.now, performance.now.bind(performance)];
    vi.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000);
    vi.spyOn(performance, 'now').mockImplementation(() => steady() + 61_000);
    await db.kvEntry.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await ask()).status).toBe(200);
  });

  it('count a repetition with an idempotency key like any request', async () => {
    const token = await makeKey(await signUp());
    const create = () =>
      rest('POST', '/api/v1/monitors', { token, body: httpMonitor(), headers: { 'idempotency-key': 'again' } });
    expect((await create()).headers.get('ratelimit-remaining')).toBe('119');
    const second = await create();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('ratelimit-remaining')).toBe('118');
    await Promise.all(Array.from({ length: 118 }, () => rest('GET', '/api/v1/monitors?limit=1', { token })));
    const refused = await create();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
  });

  it('count a request rejected for its body like any other', async () => {
    const token = await makeKey(await signUp());
    const malformed = { raw: '{', headers: { 'content-type': 'application/json' } };
    const first = await rest('POST', '/api/v1/monitors', { token, ...malformed });
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([400, '119']);
    const second = await rest('POST', '/api/v1/monitors', { token, ...malformed });
    expect(second.headers.get('ratelimit-remaining')).toBe('118');
    const anonymous = await rest('POST', '/auth/login', {
      ...malformed,
      headers: { ...malformed.headers, 'x-upwatch-address': '203.0.113.77' },
    });
    expect([anonymous.status, anonymous.headers.get('ratelimit-remaining')]).toEqual([400, '119']);
  });

  it('apply to signing in, with the same headers', async () => {
    const { email } = await signUp();
    const guess = () =>
      rest('POST', '/auth/login', {
        body: { email, password: 'wrong' },
        headers: { 'x-upwatch-address': '203.0.113.9' },
      });
    const answers = [];
    for (let n = 0; n < 11; n += 1) answers.push(await guess());
    const refused = answers[10];
    expect(refused?.status).toBe(429);
    const named = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) =>
      refused?.headers.get(name),
    );
    expect(named).toEqual(['10', '0', refused?.headers.get('retry-after')]);
    expect(Number(named[2])).toBeGreaterThan(60);
  });

  it('apply to signing in by client address, with the same headers', async () => {
    const guess = () =>
      rest('POST', '/auth/login', {
        body: { email: `${newId()}@example.test`, password: 'wrong' },
        headers: { 'x-upwatch-address': '203.0.113.10' },
      });
    const answers = await Promise.all(Array.from({ length: 21 }, guess));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('ratelimit-limit')).toBe('20');
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused?.headers.get('ratelimit-reset')).toBe(refused?.headers.get('retry-after'));
  });
});
