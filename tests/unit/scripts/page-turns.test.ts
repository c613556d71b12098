import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRendered, pageTurns } from '@/scripts/lib/web/page-turns.mjs';
import { PageGate } from '@/server/api/page-gate';
import { until } from '@/tests/support/receivers';

/** A server that renders a page at once, or as soon as `answer` is called. */
async function served(limit: number, { isSlow = false } = {}) {
  const inTurn = pageTurns(new PageGate(limit));
  const answers: (() => void)[] = [];
  const counts = { came: 0, closed: 0 };
  const server = createServer((request, response) => {
    request.headers['x-upwatch-address'] = '192.0.2.1';
    counts.came += 1;
    response.once('close', () => {
      counts.closed += 1;
    });
    void inTurn(request, response, () => {
      answers.push(() => response.end('rendered'));
      if (!isSlow) response.end('rendered');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const get = (init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}/login`, init);
  return { port, get, answers, counts };
}

describe('isRendered', () => {
  const files = new Set(['/icon.svg']);

  it.each([
    '/',
    '/login',
    '/docs',
    '/monitors/01ABC',
    '/nothing',
    '/robots.txt',
    '/dashboard',
    '/_next/nothing',
    '/_next/image',
    '/_next/static',
    '/%73tatus/shop',
    '/statuses',
    '/icon.svg/x',
    '//login',
    '/_next/static/../../login',
    '/_next/static/%2E%2e/.%2E/login',
    '/status/..\\login',
    '/api/..',
  ])('is true for %s', (path) => {
    expect(isRendered(path, files)).toBe(true);
  });

  it.each([
    '/icon.svg',
    '/_next/static/chunks/a.js',
    '/status/shop',
    '/api/health',
    '/api/v1/monitors',
    '/auth/login',
    '/dashboard/monitors',
    '/admin/users',
    '/api/v1/monitors/by-external-id/a..b',
  ])('is false for %s', (path) => {
    expect(isRendered(path, files)).toBe(false);
  });
});

describe('pageTurns', () => {
  it('answers 429 beyond the limit: a page without scripts for a browser, the error envelope for others', async () => {
    const { get } = await served(5);
    const html = { accept: 'text/html,application/xhtml+xml' };
    expect(await (await get({ headers: html })).text()).toBe('rendered');
    const page = await get({ headers: html });
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    const wait = Number(page.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(5);
    expect([page.headers.get('cache-control'), page.headers.get('ratelimit-limit')]).toEqual(['no-store', '5']);
    const text = await page.text();
    expect(text).toContain('<h1>Too many requests</h1>');
    expect(text).toContain(`<meta http-equiv="refresh" content="${wait}">`);
    expect(text).toContain('color-scheme: light dark');
    expect(text).not.toContain('<script');
    for (const headers of [{ accept: 'application/json' }, { ...html, rsc: '1' }, {}]) {
      const answer = await get({ headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'application/json; charset=utf-8']);
      expect(await answer.json()).toEqual({
        error: { code: 'RATE_LIMITED', status: 429, message: expect.stringMatching(/^Limit of 5 pages per minute/) },
      });
    }
    const head = await get({ method: 'HEAD', headers: html });
    expect([head.status, await head.text()]).toEqual([429, '']);
  });

  it('answers 503 with Retry-After when too many requests wait', async () => {
    const { get } = await served(0, { isSlow: true });
    const refused: Response[] = [];
    for (let count = 0; count < 250; count += 1) {
      get({ headers: { accept: 'text/html' } }).then(
        (answer) => refused.push(answer),
        () => undefined,
      );
    }
    await until(() => refused.length > 0, 10_000);
    expect(refused[0]?.status).toBe(503);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(await refused[0]?.text()).toContain('<h1>Upwatch is busy</h1>');
  });

  it('renders nothing for a client that left the queue', async () => {
    const { port, get, answers, counts } = await served(0, { isSlow: true });
    const first = Array.from({ length: 3 }, () => get());
    await until(() => answers.length === 3, 5_000);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /login HTTP/1.1\r\nhost: a\r\n\r\n');
    await until(() => counts.came === 4, 5_000);
    socket.destroy();
    await until(() => counts.closed === 1, 5_000);
    for (const answer of answers) answer();
    await Promise.all(first);
    const last = get();
    await until(() => answers.length > 3, 5_000);
    for (const answer of answers) answer();
    expect(await (await last).text()).toBe('rendered');
    expect(answers.length).toBe(4);
  });
});
