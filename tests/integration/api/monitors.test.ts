import { beforeAll, describe, expect, it } from 'vitest';
import { openConfig } from '@/server/monitor-types/config/config-secrets';
import { db } from '@/server/platform/db';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let outsider: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  outsider = await signUp();
  key = await makeKey(person);
});

async function create(changes: Record<string, unknown> = {}, token = key) {
  const { status, body } = await rest('POST', '/api/v1/monitors', { token, body: httpMonitor(changes) });
  return { status, body, monitor: body.monitor };
}

describe('names from Object.prototype', () => {
  const headers = { constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd', valueOf: 'e' };
  const unusable = { url: 'http://127.0.0.1:9/', headers: { accept: 'text/html', ['__proto__']: 'x' } };

  it('accepts names from Object.prototype as header names and tags', async () => {
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
      severity: 'critical',
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
      token: outsider.token,
      ...(method === 'PUT' && { body: { name: 'Mine' } }),
    });
    expect(status).toBe(404);
    expect(body.error.code).toBe('NOT_FOUND');
    expect((await rest('GET', `/api/v1/monitors/${monitor.id}`, { token: key })).body.monitor).toEqual(monitor);
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
