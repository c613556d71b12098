import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handleTrpc } from '@/server/api/trpc-handler';
import { cookieOf } from '@/tests/integration/teams/support';
import { rest, signUp } from '@/tests/support/rest';

// Set before the server reads its settings: a limit that a test can reach.
vi.hoisted(() => {
  process.env.RATE_LIMIT_PER_MINUTE = '30';
  process.env.AUTH_RATE_LIMIT_PER_MINUTE = '0';
});

interface Result {
  error?: { message: string; data: { error: { code: string; status: number; message: string } } };
}

/** Sends calls of one procedure in one batch and returns the code of each result. */
async function batch(
  path: string,
  calls: number,
  { cookie = '', input = {}, address = '203.0.113.5', post = true } = {},
) {
  const inputs = JSON.stringify(Object.fromEntries(Array.from({ length: calls }, (_, index) => [index, input])));
  const url = `http://127.0.0.1:3000/api/trpc/${Array(calls).fill(path).join(',')}?batch=1`;
  const headers = { 'content-type': 'application/json', 'x-upwatch-address': address, ...(cookie && { cookie }) };
  const request = post
    ? new Request(url, { method: 'POST', headers, body: inputs })
    : new Request(`${url}&input=${encodeURIComponent(inputs)}`, { headers });
  const response = await handleTrpc(request);
  const results = (await response.json()) as Result | Result[];
  const list = Array.isArray(results) ? results : [results];
  return { list, codes: list.map(({ error }) => error?.data.error.code ?? 'ok'), headers: response.headers };
}

const countOf = (codes: string[]) => codes.filter((code) => code !== 'RATE_LIMITED').length;
const remove = (cookie: string, calls: number) => batch('monitors.delete', calls, { cookie, input: { id: 'unknown' } });
const read = (cookie: string, calls: number) => batch('auth.me', calls, { cookie, post: false });

let cookie: string;

beforeAll(async () => {
  cookie = await cookieOf(await signUp());
});

describe('rate limit of dashboard calls', () => {
  it('counts each change in a batch, and returns the time to wait', async () => {
    const batches = [await remove(cookie, 10), await remove(cookie, 10), await remove(cookie, 10)];
    expect(batches.flatMap(({ codes }) => codes)).toEqual(Array(30).fill('NOT_FOUND'));
    const { list, codes, headers } = await remove(cookie, 10);
    expect(codes).toEqual(Array(10).fill('RATE_LIMITED'));
    expect(list[0]?.error?.data.error).toEqual({
      code: 'RATE_LIMITED',
      status: 429,
      message: expect.stringMatching(/^Rate limit of 30 requests per minute exceeded\. Try again in \d+ s\.$/),
    });
    expect(headers.get('ratelimit-limit')).toBe('30');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('is exact for concurrent changes in many batches', async () => {
    const own = await cookieOf(await signUp());
    const batches = await Promise.all(Array.from({ length: 8 }, () => remove(own, 10)));
    expect(countOf(batches.flatMap(({ codes }) => codes))).toBe(30);
  });

  it("counts changes together with the same user's REST requests", async () => {
    const person = await signUp();
    const own = await cookieOf(person);
    await remove(own, 20);
    const { headers } = await rest('GET', '/dashboard/me', { token: person.token });
    expect(headers.get('ratelimit-remaining')).toBe('9');
  });

  it('counts a call about many objects as one per ten of them', async () => {
    const { token } = await signUp();
    const bulk = async (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `unknown-${index}`);
      const { status, headers } = await rest('POST', '/api/v1/incidents/bulk', {
        ...{ token, body: { action: 'resolve', ids } },
      });
      return { status, remaining: headers.get('ratelimit-remaining') };
    };
    expect(await bulk(1)).toEqual({ status: 200, remaining: '29' });
    expect(await bulk(10)).toEqual({ status: 200, remaining: '28' });
    expect(await bulk(11)).toEqual({ status: 200, remaining: '26' });
    expect(await bulk(100)).toEqual({ status: 200, remaining: '16' });
    expect(await bulk(100)).toEqual({ status: 200, remaining: '6' });
    expect((await bulk(100)).status).toBe(429);
    expect((await bulk(1)).status).toBe(429);
  });

  it('allows ten times as many reads, which do not count as changes', async () => {
    const own = await cookieOf(await signUp());
    const batches = [];
    for (let sent = 0; sent < 16; sent += 1) batches.push(await read(own, 20));
    expect(countOf(batches.flatMap(({ codes }) => codes))).toBe(300);
    expect((await remove(own, 1)).codes).toEqual(['NOT_FOUND']);
  });

  it('counts calls without a session by their network', async () => {
    const look = (address: string) =>
      batch('teams.invitations.get', 10, { input: { token: 'unknown' }, address, post: false });
    for (let sent = 0; sent < 3; sent += 1) expect(countOf((await look('203.0.113.80')).codes)).toBe(10);
    expect(countOf((await look('203.0.113.80')).codes)).toBe(0);
    expect(countOf((await look('203.0.113.81')).codes)).toBe(10);
  });
});

describe('tRPC batch', () => {
  it('holds at most 20 calls', async () => {
    const own = await cookieOf(await signUp());
    expect((await read(own, 20)).codes).toEqual(Array(20).fill('ok'));
    const { list } = await read(own, 21);
    expect(list).toHaveLength(1);
    expect(list[0]?.error?.data.error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
  });
});
