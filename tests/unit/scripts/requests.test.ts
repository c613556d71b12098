import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchRequests } from '@/scripts/lib/web/requests.mjs';
import { routePatterns } from '@/scripts/lib/web/route-patterns.mjs';
import { noteRequest, processMetrics } from '@/server/platform/request-facts';
import { until } from '@/tests/support/receivers';

const patternOf = routePatterns({
  staticRoutes: [{ page: '/monitors' }],
  dynamicRoutes: [
    { page: '/api/heartbeat/[...path]', regex: '^/api/heartbeat/(.+?)(?:/)?$' },
    { page: '/api/[[...path]]', regex: '^/api(?:/(.+?))?(?:/)?$' },
    { page: '/monitors/[id]', regex: '^/monitors/([^/]+?)(?:/)?$' },
  ],
});

/** A server whose requests are measured, and the log lines about them. */
async function served(listener: RequestListener) {
  const lines: Record<string, unknown>[] = [];
  const watch = watchRequests({ write: (line) => void lines.push(JSON.parse(line)), patternOf });
  const server = createServer((request, response) => {
    watch(request, response, String(request.headers['x-request-id']));
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const get = (path: string, requestId: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { 'x-request-id': requestId } });
  return { lines, get };
}

describe('routePatterns', () => {
  it.each([
    ['/monitors', '/monitors'],
    ['/monitors/01ABC', '/monitors/{id}'],
    ['/api/heartbeat/secret-token/start', '/api/heartbeat/{path}'],
    ['/api/v1/anything', '/api/{path}'],
    ['/_next/static/chunk.js', '/_next/{file}'],
    ['/wp-login.php', 'unknown'],
  ])('matches %s as %s', (path, pattern) => expect(patternOf(path)).toBe(pattern));
});

describe('watchRequests', () => {
  it('logs what the application knows, without the path or its query', async () => {
    const { lines, get } = await served((request, response) => {
      noteRequest(String(request.headers['x-request-id']), { route: '/api/v1/monitors/{id}', actor: 'key' });
      response.writeHead(404).end();
    });
    await get('/api/v1/monitors/01ABC?token=secret', 'one', { method: 'DELETE' });
    await until(() => lines.length === 1, 5_000, 'The line');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        pid: process.pid,
        msg: 'Request',
        method: 'DELETE',
        route: '/api/v1/monitors/{id}',
        status: 404,
        ms: expect.any(Number),
        requestId: 'one',
        actor: 'key',
      },
    ]);
    const metrics = await processMetrics();
    const labels = 'method="DELETE",route="/api/v1/monitors/{id}",status="404"';
    expect(metrics).toContain(`upwatch_http_request_duration_seconds_count{${labels}} 1\n`);
    expect(metrics).toContain('\nprocess_resident_memory_bytes ');
  });

  it('marks an aborted request, and forgets it', async () => {
    const client = new AbortController();
    const { lines, get } = await served(() => client.abort());
    await expect(get('/monitors/1', 'two', { signal: client.signal })).rejects.toThrow();
    await until(() => lines.length === 1, 5_000, 'The line');
    expect(lines[0]).toMatchObject({ route: '/monitors/{id}', aborted: true, actor: null });
    expect(await processMetrics()).toContain('\nupwatch_http_requests_open 0\n');
  });

  it('answers 503 with retry-after instead of a 500 caused by the database', async () => {
    const { lines, get } = await served((request, response) => {
      if (request.url === '/monitors') noteRequest('three', { isDatabaseAway: true });
      response.statusCode = 500;
      response.end('Sorry');
    });
    const away = await get('/monitors', 'three');
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    const broken = await get('/monitors/1', 'four');
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([500, null]);
    await until(() => lines.length === 2, 5_000, 'The lines');
    expect(lines.map(({ status }) => status)).toEqual([503, 500]);
  });

  it.each(['written in parts', 'ended at once'])('replaces an error page %s by one about the database', async (how) => {
    const { get } = await served((_request, response) => {
      noteRequest(how, { isDatabaseAway: true });
      response.writeHead(500, { 'x-kept': 'yes' });
      response.end('Sorry');
    });
    const plain = await get('/monitors', how);
    expect([plain.status, plain.headers.get('x-kept'), await plain.text()]).toEqual([503, 'yes', 'Sorry']);
    const { get: getPage } = await served((_request, response) => {
      noteRequest(how, { isDatabaseAway: true });
      response.statusCode = 500;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-length', '5');
      if (how === 'written in parts') response.write('So', () => response.end('rry'));
      else response.end('Sorry');
    });
    const page = await getPage('/monitors', how);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await page.text()).toMatch(/^<!doctype html>.*<h1>Upwatch cannot reach its database<\/h1>.*<\/html>\n$/s);
  });
});
