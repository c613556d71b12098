import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { knownUntil } from '@/server/history/watch';
import { openConfig } from '@/server/monitors/config/config-secrets';
import { db } from '@/server/platform/db';
import { readSpans } from '@/tests/integration/checks/monitors';
import { ownState } from '@/tests/support/own-state';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let stranger: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  stranger = await signUp();
  key = await makeKey(person);
});

afterEach(() => vi.useRealTimers());

async function create(changes: Record<string, unknown> = {}, token = key) {
  const { status, body } = await rest('POST', '/api/v1/monitors', { token, body: httpMonitor(changes) });
  return { status, body, monitor: body.monitor };
}

describe('names from Object.prototype', () => {
  const headers = { constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd', valueOf: 'e' };
  const unusable = { url: 'http://127.0.0.1:9/', headers: { accept: 'text/html', ['__proto__']: 'x' } };

  it('are accepted as header names and tags', async () => {
    const tags = ['__proto__', 'constructor', 'prototype'];
    const config = { url: 'http://127.0.0.1:9/', headers };
    const { status, monitor } = await create({ tags, config });
    expect([status, monitor.config.headers, monitor.tags]).toEqual([201, headers, tags]);
    const updated = await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { config } });
    expect([updated.status, updated.body.monitor.config.headers]).toEqual([200, headers]);
    const { config: stored } = await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } });
    expect(openConfig('http', stored).config).toMatchObject({ headers });
  });

  it('include one that no object can hold, which is rejected at its field instead of dropped', async () => {
    const issues = [{ path: 'config.headers.__proto__', message: 'This field name is not allowed.' }];
    const created = await create({ config: unusable });
    expect([created.status, created.body.error.code, created.body.error.issues]).toEqual([
      400,
      'VALIDATION_ERROR',
      issues,
    ]);
    const { monitor } = await create();
    const updated = await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { config: unusable } });
    expect([updated.status, updated.body.error.issues]).toEqual([400, issues]);
    const below = { url: 'http://127.0.0.1:9/', ['__proto__']: { url: 'http://127.0.0.1:9/' } };
    expect((await create({ config: below })).body.error.issues).toMatchObject([{ path: 'config.__proto__' }]);
  });

  it('include one that is rejected at the top level of a body as well', async () => {
    const { status, body } = await create({ ['__proto__']: { name: 'Other' } });
    expect([status, body.error.issues]).toEqual([
      400,
      [{ path: '__proto__', message: 'This field name is not allowed.' }],
    ]);
  });
});

describe('isActive', () => {
  it.each([
    [0, 0],
    [false, 0],
    [1, 1],
    [true, 1],
  ])('accepts %j at /api/v1, which answers %j', async (isActive, shown) => {
    const created = await create({ isActive });
    expect([created.status, created.monitor.isActive]).toEqual([201, shown]);
    const { monitor } = await create({ isActive: shown === 0 });
    const path = `/api/v1/monitors/${monitor.id}`;
    const { status, body } = await rest('PUT', path, { token: key, body: { isActive } });
    expect([status, body.monitor.isActive]).toEqual([200, shown]);
  });

  it("accepts only a boolean in the dashboard's update, which answers 0 or 1", async () => {
    const { monitor } = await create();
    const update = (isActive: unknown) =>
      rest('PUT', `/dashboard/monitors/${monitor.id}`, { token: person.token, body: { isActive } });
    for (const wrong of [0, 1, 'false', null]) {
      const { status, body } = await update(wrong);
      expect([wrong, status, body.error?.issues[0].path]).toEqual([wrong, 400, 'isActive']);
    }
    expect((await update(false)).body.monitor.isActive).toBe(0);
  });
});

describe('POST monitor', () => {
  it('returns the whole monitor, with the defaults of its config', async () => {
    const { status, monitor } = await create({ tags: ['shop', 'shop'] });
    expect(status).toBe(201);
    expect(monitor).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      teamId: person.teamId,
      type: 'http',
      name: 'Shop',
      config: expect.objectContaining({ url: 'http://127.0.0.1:9/', method: 'GET', expectedStatus: ['200-299'] }),
      intervalSeconds: 60,
      status: 'pending',
      isActive: 1,
      tags: ['shop'],
      channelIds: null,
      regions: [],
      externalId: null,
      lastCheckedAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ['type', { type: 'carrier-pigeon' }],
    ['type', { type: undefined }],
    ['name', { name: ' ' }],
    ['name', { name: 7 }],
    ['config', { config: undefined }],
    ['config.url', { config: { url: 'ftp://example.test' } }],
    ['config.url', { config: { url: 'http://user:secret@example.test' } }],
    ['config.timeoutMs', { config: { url: 'http://example.test', timeoutMs: 60_001 } }],
    ['config.port', { type: 'tcp', config: { host: 'example.test', port: 0 } }],
    [
      'config.assertions.0.operator',
      { config: { url: 'http://a.test', assertions: [{ source: 'body', operator: 'likes', value: 'x' }] } },
    ],
    [
      'config.assertions.0.value',
      { config: { url: 'http://a.test', assertions: [{ source: 'body', operator: 'matches', value: '(' }] } },
    ],
    ['intervalSeconds', { intervalSeconds: 86_401 }],
    ['intervalSeconds', { intervalSeconds: 60.5 }],
    ['tags.0', { tags: ['Upper'] }],
    ['channelIds', { channelIds: ['nothing'] }],
  ])('names the invalid field %s', async (path, changes) => {
    const { status, body } = await create(changes);
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it("rejects an interval below the plan's minimum, and a monitor over the limit", async () => {
    const team = await signUp();
    await db.team.update({ where: { id: team.teamId }, data: { plan: 'free' } });
    expect(await create({ intervalSeconds: 59 }, team.token)).toMatchObject({
      status: 402,
      body: { error: { code: 'PLAN_LIMIT_REACHED' } },
    });
    const answers = await Promise.all(Array.from({ length: 24 }, () => create({}, team.token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(4);
    await db.monitor.deleteMany({ where: { teamId: team.teamId } });
  });

  it('gives an externalId to one of two racing monitors', async () => {
    const answers = await Promise.all([create({ externalId: 'shop' }), create({ externalId: 'shop' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});

it('returns times of a monitor in milliseconds', async () => {
  const { monitor } = await create();
  for (const time of ['2026-11-20T03:07:12.000Z', '2026-11-20T03:07:12.500Z', '2026-11-20T03:07:12.045Z']) {
    await db.monitor.update({ where: { id: monitor.id }, data: { createdAt: time } });
    const { body } = await rest('GET', `/api/v1/monitors/${monitor.id}`, { token: key });
    expect(body.monitor.createdAt).toBe(time);
  }
});

describe('access to a monitor', () => {
  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/check'],
  ])('returns NOT_FOUND to another team for %s %s', async (method, rest_) => {
    const { monitor } = await create();
    const { status, body } = await rest(method, `/dashboard/monitors/${monitor.id}${rest_}`, {
      token: stranger.token,
      ...(method === 'PUT' && { body: { name: 'Mine' } }),
    });
    expect(status).toBe(404);
    expect(body.error.code).toBe('NOT_FOUND');
    expect((await rest('GET', `/api/v1/monitors/${monitor.id}`, { token: key })).body.monitor).toEqual(monitor);
  });
});

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

describe('GET monitors', () => {
  it('returns each monitor once across pages', async () => {
    const team = await signUp();
    for (let index = 0; index < 5; index += 1) await create({ name: `Monitor ${index}` }, team.token);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await rest('GET', `/api/v1/monitors?limit=2${cursor}`, { token: team.token });
      seen.push(...body.monitors.map(({ name }: { name: string }) => name));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(seen.sort()).toEqual(['Monitor 0', 'Monitor 1', 'Monitor 2', 'Monitor 3', 'Monitor 4']);
  });
});
