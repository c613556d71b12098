import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { isAlive } from '@/tests/support/processes';
import { type Launched, launch, newDataDir, untilReady } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy';
import { type Asked, CALLBACKS, type Credentials, operationsOf, PUBLIC, pagesOf, proceduresOf } from './every-address';
import { type StoppablePostgres, stoppablePostgres } from './stoppable-postgres';

// The built web process while its PostgreSQL is stopped, frozen or behind a broken network.

const APP_SECRET = 'one secret for every process of this test';
const person = { email: 'robin@example.test', password: 'nine unlikely words in a row' };

let database: StoppablePostgres;
let proxy: DatabaseProxy;
let direct: Web;
let proxied: Web;
let me: Credentials;
let addresses: Asked[];

interface Web extends Launched {
  url: string;
}

interface Answer {
  asked: Asked;
  status: number;
  headers: Headers;
  text: string;
}

async function startWeb(databaseUrl: string): Promise<Web> {
  const DATA_DIR = await newDataDir();
  const PORT = String(await freePort());
  const settings = { DATABASE_URL: databaseUrl, APP_SECRET, DATA_DIR, PORT, RATE_LIMIT_PER_MINUTE: '0' };
  const off = { AUTH_RATE_LIMIT_PER_MINUTE: '0', PAGE_RATE_LIMIT_PER_MINUTE: '0', REQUEST_LOG: 'false' };
  const launched = launch({ ...settings, ...off }, 'web');
  await untilReady(launched);
  return { ...launched, url: `http://127.0.0.1:${PORT}` };
}

async function stopWeb(web: Web | undefined): Promise<void> {
  if (!web) return;
  if (isAlive(web.pid)) process.kill(web.pid, 'SIGTERM');
  await web.exited;
  await rm(web.dataDir, { recursive: true, force: true });
}

async function ask(web: Web, asked: Asked): Promise<Answer> {
  const { method, path, headers, body } = asked;
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(web.url + path, { method, headers, signal, redirect: 'manual', ...(body && { body }) });
  return { asked, status: response.status, headers: response.headers, text: await response.text() };
}

const send = (method: string, path: string, body: object, token?: string): Asked => ({
  method,
  path,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
});

async function signIn(web: Web): Promise<Answer> {
  const csrf = await fetch(`${web.url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookie = cookiesOf(csrf.headers);
  return ask(web, {
    method: 'POST',
    path: '/api/auth/callback/credentials',
    headers: { cookie, origin: web.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ ...person, csrfToken, json: 'true' })),
  });
}

/** Whether a body says that the database is away: an error envelope, also within tRPC's, or a page. */
function isOutage(text: string): boolean {
  if (!text.startsWith('{') && !text.startsWith('['))
    return /Upwatch cannot reach its database|Try again in a few/.test(text);
  const { error } = [JSON.parse(text)].flat()[0];
  const envelope = error.data?.error ?? error;
  return envelope.code === 'UNAVAILABLE' && envelope.status === 503 && envelope.message.startsWith('The database');
}

const cookiesOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const MODES = {
  stopped: { web: () => direct, begin: () => database.stop(), end: () => database.start() },
  frozen: { web: () => direct, begin: async () => database.freeze(), end: async () => database.thaw() },
  unreachable: { web: () => proxied, begin: async () => proxy.cut(), end: async () => proxy.mend() },
};

beforeAll(async () => {
  database = await stoppablePostgres();
  proxy = await startDatabaseProxy(database.url);
  direct = await startWeb(database.url);
  proxied = await startWeb(proxy.url);
  const { text } = await ask(direct, send('POST', '/auth/signup', person));
  const { accessToken: token } = JSON.parse(text);
  const body = { name: 'script', scopes: ['read', 'write'] };
  const made = await ask(direct, send('POST', '/dashboard/api-keys', body, token));
  const { secret: key } = JSON.parse(made.text);
  me = { token, key, cookie: cookiesOf((await signIn(direct)).headers) };
  const document = JSON.parse((await ask(direct, { method: 'GET', path: '/api/v1/openapi.json', headers: {} })).text);
  addresses = [...operationsOf(document, me), ...proceduresOf(me), ...pagesOf(me), ...PUBLIC, ...CALLBACKS];
});

afterAll(async () => {
  await Promise.all([stopWeb(direct), stopWeb(proxied)]);
  await proxy?.close();
  await database?.remove();
});

describe.each(Object.entries(MODES))('the web process while PostgreSQL is %s', (_name, { web, begin, end }) => {
  const answers: Answer[] = [];

  beforeAll(async () => {
    await begin();
    try {
      for (let rest = [...addresses]; rest.length > 0; rest = rest.slice(8)) {
        answers.push(...(await Promise.all(rest.slice(0, 8).map((asked) => ask(web(), asked)))));
      }
      answers.push(await signIn(web()));
    } finally {
      await end();
    }
  });

  const of = (list: Answer[]) =>
    list.map(({ asked, status, text }) => `${asked.method} ${asked.path} ${status} ${text.slice(0, 120)}`);

  it('answers no request with 500', () => {
    expect(answers.length).toBeGreaterThan(300);
    expect(of(answers.filter(({ status }) => status === 500))).toEqual([]);
  });

  it('answers 503 with retry-after, in the documented shape or as a page to read', () => {
    const away = answers.filter(({ status }) => status === 503);
    expect(away.length).toBeGreaterThan(300);
    const wrong = away.filter(({ headers, text }) => headers.get('retry-after') !== '5' || !isOutage(text));
    expect(of(wrong)).toEqual([]);
  });

  it('still answers health and metrics', () => {
    const of = (path: string) => answers.find(({ asked }) => asked.path === path);
    expect(of('/api/health')?.status).toBe(200);
    expect(of('/api/metrics')?.status).toBe(200);
    expect(of('/api/metrics')?.text).toContain('\nupwatch_database_up 0\n');
    expect(of('/api/metrics')?.text).toContain('\nprocess_resident_memory_bytes ');
    expect(of('/api/ready')?.status).toBe(503);
  });

  it('answers a sign-in with 503, unlike a wrong password', () => {
    const signIn = answers.at(-1);
    expect(signIn?.status).toBe(503);
    expect(JSON.parse(signIn?.text ?? '').url).toContain('error=UNAVAILABLE');
  });

  it('answers again once PostgreSQL is back', async () => {
    const read = { method: 'GET', path: '/api/v1/monitors', headers: { authorization: `Bearer ${me.key}` } };
    await until(async () => (await ask(web(), read)).status === 200, 30_000, 'An answer');
  });
});
