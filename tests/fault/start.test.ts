import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { isAlive } from '@/tests/support/processes';
import {
  launch,
  newDataDir,
  type Part,
  type Product,
  preparedDataDir,
  startProduct,
  untilReady,
} from '@/tests/support/product';
import { until } from '@/tests/support/receivers';
import { signIn } from '@/tests/support/sign-in';

const PATIENCE_MS = 60_000;

async function dataDir(create = newDataDir): Promise<string> {
  const folder = await create();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts with invalid settings. Returns the last line of output, after verifying that it contains no stack and no success. */
async function refusal(env: Record<string, string>): Promise<string> {
  const launched = launch({ PORT: String(await freePort()), ...env });
  const code = await launched.exited;
  const lines = launched.logs().trim().split('\n');
  expect({ code, lines }).toMatchObject({ code: 1 });
  expect(lines.filter((line) => /^\s+at |node:internal|Upwatch is ready/.test(line))).toEqual([]);
  return lines.at(-1) ?? '';
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/api/ready`).then(
    (response) => response.ok,
    () => false,
  );
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Requests the stream of the dashboard. */
function requestStream(url: string, cookie: string, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { cookie, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' };
  return fetch(`${url}/api/trpc/live.events`, { headers, signal });
}

/** Opens the stream of the dashboard. Resolves at the first message; `ended` resolves with all that was received. */
async function liveStream(url: string, cookie: string): Promise<{ ended: Promise<string> }> {
  const response = await requestStream(url, cookie);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let received = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) received += decoder.decode(chunk, { stream: true });
    } catch {
      // The connection was closed, as intended.
    }
    return received;
  })();
  await until(() => received.includes('hello'), PATIENCE_MS, 'The greeting');
  return { ended };
}

describe('start that cannot succeed', () => {
  test('reports that the port is in use', async () => {
    const DATA_DIR = await dataDir();
    const port = await freePort();
    const server: Server = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    expect(await refusal({ DATA_DIR, PORT: String(port) })).toContain(`Port ${port} of 127.0.0.1 is in use`);
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  test('reports an address that this machine does not have', async () => {
    const DATA_DIR = await dataDir();
    expect(await refusal({ DATA_DIR, HOST: '192.0.2.1' })).toMatch(/cannot listen .*192\.0\.2\.1/);
  });

  test.each([
    ['PORT', '99999'],
    ['SIGNUPS', 'perhaps'],
    ['DATABASE_URL', 'mysql://127.0.0.1/upwatch'],
  ])('reports %s=%s', async (name, value) => {
    const DATA_DIR = await dataDir();
    expect(await refusal({ DATA_DIR, [name]: value })).toMatch(new RegExp(`^${name} must be `));
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  test('reports an unreachable DATABASE_URL without its password', async () => {
    const DATA_DIR = await dataDir();
    const url = `postgresql://upwatch:hidden@127.0.0.1:${await freePort()}/upwatch`;
    const line = await refusal({ DATA_DIR, DATABASE_URL: url });
    expect(line).toMatch(/^The database at DATABASE_URL cannot be reached: .*ECONNREFUSED/);
    expect(line).not.toContain('hidden');
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  test('reports the data of another PostgreSQL version', async () => {
    const DATA_DIR = await dataDir();
    await mkdir(join(DATA_DIR, 'postgres'));
    await writeFile(join(DATA_DIR, 'postgres/PG_VERSION'), '15\n');
    expect(await refusal({ DATA_DIR })).toMatch(/holds the data of PostgreSQL 15, and Upwatch includes PostgreSQL 18/);
    expect(readdirSync(join(DATA_DIR, 'postgres'))).toEqual(['PG_VERSION']);
  });

  test('reports that DATA_DIR cannot be created', async () => {
    const folder = await dataDir();
    await writeFile(join(folder, 'file'), '');
    expect(await refusal({ DATA_DIR: join(folder, 'file/data') })).toMatch(
      /^DATA_DIR, .*, cannot be written \(ENOTDIR\)/,
    );
  });
});

describe('running instance', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startProduct();
  });

  afterAll(async () => {
    await product?.stop();
  });

  test('rejects a second start on the same data, and continues', async () => {
    expect(await refusal({ DATA_DIR: product.dataDir })).toContain(`Upwatch already runs on ${product.dataDir}`);
    expect(await answers(product.url)).toBe(true);
  });

  test('restricts its files to their owner', async () => {
    for (const name of ['app-secret', 'postgres-password']) {
      expect((await stat(join(product.dataDir, name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(product.dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  test('has two titled processes, and a request ID on every response that the client cannot choose', async () => {
    expect(product.pidOf('web')).not.toBeNull();
    expect(product.pidOf('worker')).not.toBeNull();
    for (const path of ['/', '/api/health', '/api/v1/nothing', '/_next/static/nothing.js']) {
      const response = await fetch(product.url + path, { headers: { 'x-request-id': 'chosen' }, redirect: 'manual' });
      expect({ path, id: response.headers.get('x-request-id') }).toEqual({
        path,
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      });
    }
  });

  test('answers an unsupported upgrade and closes it', async () => {
    const { hostname, port } = new URL(product.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /api/health HTTP/1.1\r\nhost: ${hostname}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('answers a malformed request with the error envelope', async () => {
    const { hostname, port } = new URL(product.url);
    const socket = connect(Number(port), hostname);
    socket.write('nonsense\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*x-request-id: [\s\S]*"error":\{"code":"VALIDATION_ERROR"/,
    );
    await once(socket, 'close');
  });

  describe('requests outside any operation', () => {
    /** Sends a request target verbatim: `fetch` would normalise it. */
    async function send(
      method: string,
      target: string,
    ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
      const { hostname, port } = new URL(product.url);
      const sent = request({ hostname, port, method, path: target }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    }

    test.each([
      ['GET', '/api/v1/monitors/', 404, 'NOT_FOUND'],
      ['GET', '/api/v1//monitors', 404, 'NOT_FOUND'],
      ['POST', '/auth/login/', 404, 'NOT_FOUND'],
      ['GET', '/api/v1/%zz', 400, 'VALIDATION_ERROR'],
      ['GET', '/monitors/%zz', 400, 'VALIDATION_ERROR'],
      ['OPTIONS', '*', 400, 'VALIDATION_ERROR'],
      ['PURGE', '/api/v1/monitors', 405, 'METHOD_NOT_ALLOWED'],
      ['TRACE', '/monitors', 405, 'METHOD_NOT_ALLOWED'],
      ['PATCH', '/api/v1/monitors', 405, 'METHOD_NOT_ALLOWED'],
      ['GET', '/api/v1/nothing', 404, 'NOT_FOUND'],
      ['GET', '/api', 404, 'NOT_FOUND'],
    ])(
      'answers a request outside any operation with the error envelope: %s %s with %i',
      async (method, target, status, code) => {
        const answer = await send(method, target);
        expect([answer.status, JSON.parse(answer.text).error]).toEqual([
          status,
          expect.objectContaining({ status, code }),
        ]);
        expect(answer.headers).toMatchObject({
          'content-type': expect.stringMatching(/^application\/json/),
          'cache-control': 'no-store',
          'x-request-id': expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        });
        expect(answer.headers['access-control-allow-origin']).toBe(target.startsWith('/api/v1/') ? '*' : undefined);
        if (status === 405) expect(answer.headers.allow).toContain('GET');
      },
    );

    test('accepts an absolute-form request', async () => {
      const { status, text } = await send('GET', `${product.url}/api/v1/monitors?limit=1`);
      expect([status, JSON.parse(text).error.code]).toEqual([401, 'UNAUTHENTICATED']);
    });

    test('redirects a page with a trailing slash, and a failed sign-in to the form', async () => {
      for (const [target, status, location] of [
        ['/monitors/', 308, '/monitors'],
        ['/docs/', 308, '/docs'],
        ['/dashboard/', 308, '/dashboard'],
        ['/dashboard', 307, '/monitors'],
        ['/api/auth/error', 307, '/login'],
        ['/api/auth/error?error=AccessDenied', 307, '/login'],
      ] as const) {
        const answer = await send('GET', target);
        expect([target, answer.status, answer.headers.location]).toEqual([target, status, location]);
      }
    });
  });

  test('refuses a live stream of a user with 50 before it begins, and accepts one as soon as a browser is closed', async () => {
    const person = { email: `sam-${crypto.randomUUID()}@example.test`, password: 'a long enough password' };
    expect((await post(`${product.url}/auth/signup`, person)).status).toBe(201);
    const cookie = await signIn(product.url, person);
    const browsers = Array.from({ length: 50 }, () => new AbortController());
    // Kept until the end: `fetch` closes the connection of a response that is garbage-collected.
    const streams = await Promise.all(browsers.map(({ signal }) => requestStream(product.url, cookie, signal)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await requestStream(product.url, cookie);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.json()).toMatchObject({ error: { data: { error: { code: 'RATE_LIMITED', status: 429 } } } });
    browsers[0]?.abort();
    const another = new AbortController();
    const isAccepted = async () => (await requestStream(product.url, cookie, another.signal)).status === 200;
    await until(isAccepted, PATIENCE_MS, 'A place for another stream');
    await Promise.all(streams.slice(1).map(({ body }) => body?.cancel()));
    another.abort();
  });

  test.each<Part>(['web', 'worker', 'database'])('restarts %s after a kill', async (part) => {
    const before = product.pidOf(part);
    product.kill(part);
    await until(() => ![null, before].includes(product.pidOf(part)), PATIENCE_MS, 'The next process');
    await until(() => answers(product.url), PATIENCE_MS, 'An answer');
  });

  test('stops everything within 15 s after SIGTERM, an open event stream too, and the next start has the data', async () => {
    const person = { email: 'robin@example.test', password: 'a long enough password' };
    expect((await post(`${product.url}/auth/signup`, person)).status).toBe(201);
    const stream = await liveStream(product.url, await signIn(product.url, person));
    const pids = (['web', 'worker', 'database'] as const).map((part) => product.pidOf(part) ?? 0);
    const began = Date.now();
    process.kill(product.pid, 'SIGTERM');
    expect(await product.exited).toBe(0);
    await expect(stream.ended).resolves.toContain('hello');
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
    expect(existsSync(join(product.dataDir, 'postgres/postmaster.pid'))).toBe(false);
    product = await startProduct({ env: { DATA_DIR: product.dataDir } });
    expect((await post(`${product.url}/auth/login`, person)).status).toBe(200);
  });
});

test('starts at once on the same data after the start script was killed, and leaves none of its processes', async () => {
  const DATA_DIR = await dataDir(preparedDataDir);
  const PORT = String(await freePort());
  const first = await startProduct({ env: { DATA_DIR, PORT } });
  const pids = (['web', 'worker', 'database'] as const).map((part) => first.pidOf(part) ?? 0);
  first.kill('start');
  await first.exited;
  const second = launch({ DATA_DIR, PORT });
  onTestFinished(async () => {
    if (isAlive(second.pid)) process.kill(second.pid, 'SIGTERM');
    await second.exited;
  });
  await untilReady(second);
  await until(() => pids.every((pid) => !isAlive(pid)), PATIENCE_MS, 'The end of all processes');
});

test('ends web, worker and database by themselves after the start script was killed', async () => {
  const DATA_DIR = await dataDir(preparedDataDir);
  // Permissions as set by mktemp: if this runs as root, PostgreSQL's own user cannot enter.
  await chmod(DATA_DIR, 0o700);
  const product = await startProduct({ env: { DATA_DIR } });
  const pids = (['web', 'worker', 'database'] as const).map((part) => product.pidOf(part) ?? 0);
  product.kill('start');
  await until(() => pids.every((pid) => !isAlive(pid)), PATIENCE_MS, 'The end of all processes');
});
