import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { knownUntil } from '@/server/history/watch';
import { openConfig } from '@/server/monitor-types/config/config-secrets';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { readSpans } from '@/tests/integration/checks/monitors';
import { ownState } from '@/tests/support/own-state';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

afterEach(() => vi.useRealTimers());

async function create(changes: Record<string, unknown> = {}, token = key) {
  const { status, body } = await rest('POST', '/api/v1/monitors', { token, body: httpMonitor(changes) });
  return { status, body, monitor: body.monitor };
}

describe('PATCH monitor', () => {
  it('replaces the config, pauses and resumes', async () => {
    const { monitor } = await create();
    const put = (body: unknown) => rest('PUT', `/dashboard/monitors/${monitor.id}`, { token: person.token, body });
    const changed = await put({ name: 'Shop 2', config: { url: 'http://127.0.0.1:10/' }, intervalSeconds: 90 });
    expect(changed.body.monitor).toMatchObject({ name: 'Shop 2', intervalSeconds: 90 });
    expect(changed.body.monitor.config.url).toBe('http://127.0.0.1:10/');
    expect((await put({ isActive: false })).body.monitor).toMatchObject({ isActive: 0, status: 'paused' });
    const state = await db.monitorState.findUniqueOrThrow({ where: ownState(monitor.id) });
    expect(state.dueAt).toBeNull();
    expect((await put({ isActive: true })).body.monitor).toMatchObject({ isActive: 1, status: 'pending' });
    const spans = await db.statusSpan.findMany({ where: { monitor: { id: monitor.id }, endedAt: null } });
    expect(spans).toMatchObject([{ status: 'pending' }]);
  });

  it('records unknown for a paused monitor from the expiry of its last check, not the last status', async () => {
    const { monitor } = await create();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const row = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    const { num: monitorNum } = row;
    await db.statusSpan.deleteMany({ where: { monitorNum } });
    await db.statusSpan.create({ data: { monitorNum, startedAt: hoursAgo(5), status: 'up' } });
    const lastCheckedAt = hoursAgo(3);
    await db.monitorState.update({ where: ownState(monitor.id), data: { status: 'up', lastCheckedAt } });
    await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { isActive: false } });
    const spans = await db.statusSpan.findMany({ where: { monitorNum }, orderBy: { startedAt: 'asc' } });
    expect(spans.map(({ status }) => status)).toEqual(['up', 'unknown', 'paused']);
    expect(spans[1]?.startedAt).toEqual(knownUntil(row, lastCheckedAt));
    expect(spans[1]?.endedAt).toEqual(spans[2]?.startedAt);
  });

  it('uses the clock of the database, not of this machine', async () => {
    const { monitor } = await create();
    const { num: monitorNum } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
    for (const isActive of [false, true, false]) {
      await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { isActive } });
      // Otherwise resuming would undo the pause.
      await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data: { beforePause: Prisma.DbNull } });
    }
    expect(await readSpans(monitorNum)).toEqual(['pending', 'paused', 'pending', 'paused']);
  });

  it('reports an invalid config, by the type of the monitor', async () => {
    const { monitor } = await create();
    const { status, body } = await rest('PUT', `/api/v1/monitors/${monitor.id}`, {
      token: key,
      body: { config: { host: 'example.test', port: 80 } },
    });
    expect(status).toBe(400);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain('config.url');
  });

  it('keeps a secret whose mask is sent back, and never returns it', async () => {
    const config = { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: 'abcdefgh12345678' } };
    const { monitor } = await create({ config });
    expect(monitor.config.auth).toEqual({ kind: 'bearer', token: '••••5678' });
    const row = () => db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    const before = await row();
    expect(JSON.stringify(before.config)).not.toContain('abcdefgh');
    const put = (body: unknown) => rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body });
    expect((await put({ config: { ...monitor.config, timeoutMs: 5000 } })).status).toBe(200);
    expect((await row()).config).toEqual({ ...(before.config as object), timeoutMs: 5000 });
    const elsewhere = await put({ config: { ...monitor.config, url: 'http://elsewhere.test/' } });
    expect(elsewhere.body.error.issues[0].path).toBe('config.auth.token');
  });

  it('keeps a secret header whose mask is sent back', async () => {
    const headers = { 'X-Api-Key': 'abcdefgh12345678', Accept: 'text/html' };
    const { monitor } = await create({ config: { url: 'http://127.0.0.1:9/', headers } });
    expect(monitor.config.headers).toEqual({ 'X-Api-Key': '••••5678', Accept: 'text/html' });
    const row = () => db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    const before = (await row()).config;
    const put = (config: unknown) => rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { config } });
    expect((await put(monitor.config)).status).toBe(200);
    expect((await row()).config).toEqual(before);
    const wrong = await put({ ...monitor.config, headers: { Accept: '••••5678' } });
    expect(wrong.body.error.issues[0].path).toBe('config.headers.Accept');
  });

  it.each([
    'X-Auth-Key',
    'Ocp-Apim-Subscription-Key',
    'X-Auth',
    'X-Amz-Signature',
    'OK-ACCESS-PASSPHRASE',
    'Set-Cookie2',
  ])('treats the header %s as a secret, also if it was stored before it counted as one', async (name) => {
    const value = 'abcdefgh12345678';
    const { monitor } = await create({ config: { url: 'http://127.0.0.1:9/', headers: { [name]: value } } });
    expect(monitor.config.headers).toEqual({ [name]: '••••5678' });
    const stored = () => db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    expect(JSON.stringify((await stored()).config)).not.toContain(value);
    const config = { ...((await stored()).config as object), headers: { [name]: value } };
    await db.monitor.update({ where: { id: monitor.id }, data: { config } });
    const path = `/api/v1/monitors/${monitor.id}`;
    expect((await rest('GET', path, { token: key })).body.monitor.config).toEqual(monitor.config);
    expect(openConfig('http', config)).toMatchObject({ config: { headers: { [name]: value } } });
    expect((await rest('PUT', path, { token: key, body: { config: monitor.config } })).status).toBe(200);
    const { config: saved } = await stored();
    expect(JSON.stringify(saved)).not.toContain(value);
    expect(openConfig('http', saved)).toMatchObject({ config: { headers: { [name]: value } } });
  });

  it('names every secret that may not be sent to a new address', async () => {
    const config = {
      url: 'http://127.0.0.1:9/',
      headers: { 'X-Api-Key': 'abcdefgh12345678', Cookie: 'session=12345678' },
      auth: { kind: 'bearer', token: 'abcdefgh12345678' },
    };
    const { monitor } = await create({ config });
    const path = `/api/v1/monitors/${monitor.id}`;
    const body = { config: { ...monitor.config, url: 'http://elsewhere.test/' } };
    const { status, body: answer } = await rest('PUT', path, { token: key, body });
    const paths = answer.error.issues.map((issue: { path: string }) => issue.path).sort();
    expect([status, paths]).toEqual([400, ['config.auth.token', 'config.headers.Cookie', 'config.headers.X-Api-Key']]);
    expect((await rest('GET', path, { token: key })).body.monitor.config).toEqual(monitor.config);
  });

  it('deletes the monitor once', async () => {
    const { monitor } = await create();
    const call = () => rest('DELETE', `/api/v1/monitors/${monitor.id}`, { token: key });
    const answers = await Promise.all([call(), call()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
