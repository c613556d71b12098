import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { authOptions } from '@/server/account/next-auth';
import { ready } from '@/server/api/health';
import { heartbeat } from '@/server/api/heartbeat';
import { metrics } from '@/server/api/metrics';
import { handleTrpc } from '@/server/api/trpc-handler';
import { Snapshots } from '@/server/status-pages/snapshots/snapshots';
import { until } from '@/tests/support/receivers';
import { makeKey, rest, signUp } from '@/tests/support/rest';
import { startStatusServer } from '@/tests/support/servers/status-server';

/** A proxy to the database that these tests interrupt. It starts before any module of the server connects. */
const line = await vi.hoisted(async () => {
  const { connect, createServer } = await import('node:net');
  const database = new URL(process.env.DATABASE_URL ?? '');
  const open = new Set<import('node:net').Socket>();
  let mode: 'open' | 'cut' | 'silent' | 'frozen' = 'open';
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    if (mode === 'cut') return void socket.destroy();
    if (mode === 'silent' || mode === 'frozen') return;
    const onward = connect(Number(database.port), database.hostname);
    onward.on('error', () => undefined);
    open.add(onward);
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const through = new URL(database);
  through.port = String((server.address() as import('node:net').AddressInfo).port);
  process.env.DATABASE_URL = through.href;
  return {
    set(next: typeof mode) {
      mode = next;
      // A frozen database keeps its connections.
      if (mode === 'frozen') {
        for (const socket of open) socket.unpipe().pause();
        return;
      }
      for (const socket of open) socket.destroy();
      open.clear();
    },
    close: () => server.close(),
  };
});

const email = 'robin@example.test';
let key: string;
let token: string;
let status: Awaited<ReturnType<typeof startStatusServer>>;
/** How far the clock of the snapshots is advanced. */
let aheadMs = 0;

const readPage = (slug: string, document = '', headers = {}) =>
  fetch(`${status.url}/status/${slug}${document}`, { headers });

beforeAll(async () => {
  const person = await signUp();
  token = person.token;
  key = await makeKey(person);
  status = await startStatusServer(new Snapshots({ now: () => Date.now() + aheadMs }));
  for (const slug of ['seen', 'unseen']) {
    await rest('POST', '/dashboard/status-pages', { token, body: { slug, title: 'Northwind' } });
  }
  expect(await (await readPage('seen')).text()).not.toContain('delayed.');
});
afterAll(async () => {
  line.set('open');
  await status.close();
  line.close();
});

const envelope = {
  error: { code: 'UNAVAILABLE', status: 503, message: 'The database cannot be reached. Try again in a moment.' },
};

describe.each(['cut', 'silent', 'frozen'] as const)('with the database connection %s', (mode) => {
  beforeAll(async () => {
    await until(async () => (await ready()).status === 200, 20_000, 'Readiness');
    line.set(mode);
  });
  afterAll(() => line.set('open'));

  const answers: Record<string, () => Promise<{ status: number; headers: Headers; body: unknown }>> = {
    'a REST read': () => rest('GET', '/api/v1/monitors', { token: key }),
    'a REST write': () => rest('POST', '/dashboard/monitors', { token, body: { type: 'ping', name: 'A', config: {} } }),
    'a REST write with an idempotency key': () =>
      rest('POST', '/api/v1/monitors', { token: key, body: {}, headers: { 'idempotency-key': mode } }),
    'a sign-in': () => rest('POST', '/auth/login', { body: { email, password: 'a long enough password' } }),
    readiness: async () => {
      const response = await ready();
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };

  it.concurrent.each(Object.keys(answers))(
    'answers %s with 503, retry-after and the error envelope',
    async (name) => {
      const answer = await answers[name]?.();
      expect(answer).toMatchObject({ status: 503, body: envelope });
      expect(answer?.body).toEqual(envelope);
      expect(answer?.headers.get('retry-after')).toBe('5');
    },
    20_000,
  );

  it.concurrent('keeps a ping and answers 202', async () => {
    const response = await heartbeat(new Request('http://127.0.0.1/api/heartbeat/abcdefghijklmnopqrstuvwxyz'));
    expect([response.status, await response.json()]).toEqual([202, { ok: true }]);
  }, 20_000);

  it.concurrent('answers tRPC with 503, retry-after and the error envelope in its data', async () => {
    const input = encodeURIComponent(JSON.stringify({ token: 'abcdefghijklmnopqrstuvwxyz' }));
    const response = await handleTrpc(new Request(`http://127.0.0.1/api/trpc/teams.invitations.get?input=${input}`));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await response.json()).error.data.error).toEqual(envelope.error);
  }, 60_000);

  it.concurrent('still serves the last snapshot of a status page, with its age', async () => {
    aheadMs = 60_000;
    const page = await readPage('seen');
    expect([page.status, Number(page.headers.get('age')) >= 60]).toEqual([200, true]);
    expect(await page.text()).toContain('Updates are delayed.');
    const version = await (await readPage('seen', '/version')).json();
    expect(version.delaySeconds).toBeGreaterThanOrEqual(60);
    expect((await readPage('seen', '/api/v2/status.json')).status).toBe(200);
  }, 60_000);

  it.concurrent('answers 503 for a status page without a snapshot, as a page or in the error envelope', async () => {
    const [page, document] = await Promise.all([
      readPage('unseen', '', { accept: 'text/html' }),
      readPage('unseen', '/api/v2/status.json'),
    ]);
    for (const answer of [page, document]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    }
    expect(await page.text()).toContain('Status page temporarily unavailable');
    expect(await document.json()).toEqual(envelope);
  }, 60_000);

  it.concurrent('shows in the sign-in form that the database is down, not that the password is wrong', async () => {
    const [provider] = authOptions().providers as unknown as {
      options: { authorize: (input: unknown, request: object) => Promise<unknown> };
    }[];
    const attempt = provider?.options.authorize({ email, password: 'a long enough password' }, { headers: {} });
    await expect(attempt).rejects.toThrow(/^UNAVAILABLE$/);
  }, 60_000);

  it.concurrent('still answers metrics, and reports the database as down', async () => {
    const response = await metrics(
      new Request('http://127.0.0.1/api/metrics', { headers: { 'x-upwatch-address': '127.0.0.1' } }),
    );
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('\nupwatch_database_up 0\n');
  }, 60_000);
});

it('recovers once the database is back', async () => {
  await until(async () => (await ready()).status === 200, 10_000, 'Readiness');
  expect((await rest('GET', '/api/v1/monitors', { token: key })).status).toBe(200);
  await until(async () => !(await (await readPage('seen')).text()).includes('delayed.'), 10_000, 'A new reading');
});
