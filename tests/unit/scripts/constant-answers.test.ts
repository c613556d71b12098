import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { constantAnswers } from '@/scripts/lib/web/constant-answers.mjs';
import * as front from '@/server/api/front';
import { handleRest } from '@/server/api/rest/handle';

const script = 'console.log("a");\n'.repeat(500);

async function served(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-files-'));
  mkdirSync(join(folder, 'chunks'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const answer = constantAnswers(front, { folder, headers: { 'x-frame-options': 'DENY' } });
  const server = createServer((request, response) => {
    if (!answer(request, response, request.url ?? '')) response.writeHead(299).end('Next');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  return (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

it('sends a file of the build compressed, with the headers of every answer, and 304 to a client that has it', async () => {
  const get = await served({ 'chunks/a.js': script });
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await get('/_next/static/chunks/a.js', { headers: { 'accept-encoding': encoding } });
    expect([answer.status, await answer.text()]).toEqual([200, script]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      'x-frame-options': 'DENY',
      vary: 'accept-encoding',
    });
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    const again = { 'if-none-match': answer.headers.get('etag') ?? '' };
    expect((await get('/_next/static/chunks/a.js', { headers: again })).status).toBe(304);
  }
  const head = await get('/_next/static/chunks/a.js', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it('leaves everything else to Next: missing files, other types, other folders and methods', async () => {
  const get = await served({ 'chunks/a.js': script, 'secret.env': 'x' });
  for (const path of [
    '/_next/static/chunks/b.js',
    '/_next/static/secret.env',
    '/_next/static/chunks',
    '/_next/static/%2e%2e/package.json',
    '/login',
  ])
    expect((await get(path)).status, path).toBe(299);
  expect((await get('/_next/static/chunks/a.js', { method: 'POST' })).status).toBe(299);
});

it('sends the OpenAPI document as the application does, once it was requested', async () => {
  const get = await served({});
  const path = '/api/v1/openapi.json';
  expect((await get(path)).status).toBe(299);
  const made = await handleRest(new Request(`http://127.0.0.1:3000${path}`));
  const answer = await get(path, { headers: { 'accept-encoding': 'gzip' } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  expect(await answer.text()).toBe(await made.text());
  for (const name of ['content-type', 'cache-control', 'access-control-allow-origin', 'access-control-expose-headers'])
    expect(answer.headers.get(name), name).toBe(made.headers.get(name));
  expect(answer.headers.get('etag')).toBe(`W/${made.headers.get('etag')}`);
  expect(answer.headers.has('x-request-id')).toBe(false);
  expect((await get(path, { method: 'POST' })).status).toBe(299);
});

it('answers health in front of the application, but no other method of it', async () => {
  const get = await served({});
  const answer = await get('/api/health');
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', version: front.liveness.version }]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/json',
  });
  expect((await get('/api/health', { method: 'POST' })).status).toBe(299);
});
