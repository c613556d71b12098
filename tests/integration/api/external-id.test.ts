import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { ownState } from '@/tests/support/own-state';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

const put = (externalId: string, changes: Record<string, unknown> = {}, token = key) =>
  rest('PUT', `/api/v1/monitors/by-external-id/${encodeURIComponent(externalId)}`, {
    token,
    body: httpMonitor(changes),
  });

describe('PUT monitor by externalId', () => {
  it('creates the monitor once, then updates it', async () => {
    const first = await put('shop/eu 1', { tags: ['shop'], intervalSeconds: 90 });
    expect(first).toMatchObject({ status: 201, body: { monitor: { externalId: 'shop/eu 1', tags: ['shop'] } } });
    const second = await put('shop/eu 1', { name: 'Shop EU', intervalSeconds: undefined });
    expect(second.status).toBe(200);
    expect(second.body.monitor).toMatchObject({
      id: first.body.monitor.id,
      name: 'Shop EU',
      externalId: 'shop/eu 1',
      tags: [],
      intervalSeconds: 60,
      channelIds: null,
    });
    const actions = await db.auditEntry.findMany({
      where: { targetId: first.body.monitor.id },
      orderBy: { id: 'asc' },
      select: { action: true },
    });
    expect(actions.map(({ action }) => action)).toEqual(['monitor.create', 'monitor.update']);
  });

  it('resets omitted fields to their defaults, one by one', async () => {
    const { channel } = (
      await rest('POST', '/dashboard/notification-channels', {
        token: person.token,
        body: { type: 'email', name: 'Ops', config: { to: 'ops@example.test' } },
      })
    ).body;
    const config = { url: 'http://127.0.0.1:9/', timeoutMs: 500, headers: { authorization: 'secret value' } };
    const all = {
      intervalSeconds: 90,
      isActive: 0,
      tags: ['shop'],
      channelIds: [channel.id],
      regions: ['eu-west'],
      config,
    };
    const first = await put('reset', all);
    expect(first.body.monitor).toMatchObject({ ...all, status: 'paused', config: { timeoutMs: 500 } });
    const second = await put('reset', { intervalSeconds: undefined });
    expect(second.body.monitor).toMatchObject({
      intervalSeconds: 60,
      isActive: 1,
      tags: [],
      channelIds: null,
      regions: [],
      status: 'pending',
      config: { timeoutMs: 10_000, headers: {} },
    });
  });

  it.each([
    [0, 0],
    [1, 1],
    [false, 0],
    [true, 1],
  ])('accepts isActive %j and returns %j, when creating and updating', async (isActive, shown) => {
    const status = shown === 0 ? 'paused' : 'pending';
    const created = await put(`active ${isActive}`, { isActive });
    expect(created).toMatchObject({ status: 201, body: { monitor: { isActive: shown, status } } });
    const state = await db.monitorState.findUniqueOrThrow({ where: ownState(created.body.monitor.id) });
    expect(state.dueAt === null).toBe(shown === 0);
    await put(`active ${isActive}`, { isActive: shown === 0 });
    const updated = await put(`active ${isActive}`, { isActive });
    expect(updated).toMatchObject({ status: 200, body: { monitor: { isActive: shown, status } } });
    for (const wrong of ['0', 2, null]) {
      expect((await put('active wrong', { isActive: wrong })).body.error.issues).toMatchObject([{ path: 'isActive' }]);
    }
  });

  /** Everything that a change would write. */
  async function traces(id: string) {
    const { version, updatedAt } = await db.monitor.findUniqueOrThrow({ where: { id } });
    const { revision, dueAt } = await db.monitorState.findUniqueOrThrow({ where: ownState(id) });
    return { version, updatedAt, revision, dueAt, entries: await db.auditEntry.count({ where: { targetId: id } }) };
  }

  it.each([
    ['every field', { tags: ['b', 'a', 'b'], intervalSeconds: 90, regions: ['eu-west'], isActive: 1 }],
    ['a paused monitor', { isActive: false }],
    ['secrets', { config: { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: 'abcdefgh12345678' } } }],
    ['a heartbeat', { type: 'heartbeat', config: { cron: '0 3 * * 1-5' }, intervalSeconds: undefined }],
  ])('changes nothing if repeated with %s', async (name, changes) => {
    const externalId = `twice: ${name}`;
    const { body } = await put(externalId, changes);
    const before = await traces(body.monitor.id);
    const again = await put(externalId, changes);
    expect([again.status, again.body]).toEqual([200, body]);
    // The body as it was read: with masks and read-only fields.
    const { externalId: _own, ...read } = body.monitor;
    const copy = await put(externalId, { ...read, ...('type' in changes && { intervalSeconds: undefined }) });
    expect([copy.status, copy.body]).toEqual([200, body]);
    expect(await traces(body.monitor.id)).toEqual(before);
    const byId = await rest('PUT', `/api/v1/monitors/${body.monitor.id}`, { token: key, body: { name: 'Shop' } });
    expect(byId.body).toEqual(body);
    expect(await traces(body.monitor.id)).toEqual(before);
  });

  it('detects a changed secret with the same mask', async () => {
    const config = (token: string) => ({ url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token } });
    const { body } = await put('rotated', { config: config('abcdefgh12345678') });
    const before = await traces(body.monitor.id);
    await put('rotated', { config: config('ijklmnop12345678') });
    expect((await traces(body.monitor.id)).version).toBe(before.version + 1);
  });

  it('writes one audit entry for a change that several requests race to make', async () => {
    const { body } = await put('raced change');
    const before = await traces(body.monitor.id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => put('raced change', { name: 'Renamed' })));
    for (const { status, body } of answers) expect([status, body.monitor.name]).toEqual([200, 'Renamed']);
    const after = await traces(body.monitor.id);
    expect([after.version, after.entries]).toEqual([before.version + 1, before.entries + 1]);
  });

  it('keeps one whole request if different requests race', async () => {
    const { body } = await put('raced apart');
    const names = Array.from({ length: 8 }, (_, n) => `shop-${n}`);
    await Promise.all(names.map((name) => put('raced apart', { name, tags: [name] })));
    const { monitor } = (await rest('GET', `/api/v1/monitors/${body.monitor.id}`, { token: key })).body;
    expect(names).toContain(monitor.name);
    expect(monitor.tags).toEqual([monitor.name]);
  });

  it('rejects read-only fields', async () => {
    const { body } = await put('read-only');
    const { monitor } = body;
    const wrong = {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      teamId: 'x',
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    for (const [field, value] of Object.entries(wrong)) {
      const answer = await put('read-only', { [field]: value });
      expect([answer.status, answer.body.error?.issues?.[0]?.path]).toEqual([400, field]);
    }
    expect((await put('read-only', { status: monitor.status === 'up' ? 'down' : 'up' })).status).toBe(200);
    expect((await put('read-only 2', { id: monitor.id })).body.error.issues[0].path).toBe('id');
    expect((await rest('GET', `/api/v1/monitors/${monitor.id}`, { token: key })).body).toEqual(body);
  });

  it('creates one monitor, however many requests race', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put('raced', { name: `Shop ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.monitor.id)).size).toBe(1);
    expect(await db.monitor.count({ where: { externalId: 'raced' } })).toBe(1);
  });

  it('succeeds or fails cleanly while the monitor is being deleted', async () => {
    const { body } = await put('contested');
    const answers = await Promise.all([
      rest('DELETE', `/api/v1/monitors/${body.monitor.id}`, { token: key }),
      put('contested'),
      put('contested'),
    ]);
    for (const { status } of answers) expect([200, 201]).toContain(status);
    expect(await db.monitor.count({ where: { externalId: 'contested' } })).toBeLessThanOrEqual(1);
  });

  it('rejects another type, and keeps the monitor', async () => {
    const { body } = await put('typed');
    const other = await put('typed', { type: 'tcp', config: { host: 'example.test', port: 80 } });
    expect(other.status).toBe(400);
    expect(other.body.error.issues[0].path).toBe('type');
    expect((await rest('GET', `/api/v1/monitors/${body.monitor.id}`, { token: key })).body).toEqual(body);
  });

  it('rejects a body with another externalId, and accepts the same', async () => {
    expect((await put('shop-a', { externalId: 'shop-a' })).status).toBe(201);
    for (const externalId of ['shop-b', 'SHOP-A', '', null, 7]) {
      const { status, body } = await put('shop-a', { externalId });
      expect([status, body.error?.issues?.[0]?.path]).toEqual([400, 'externalId']);
    }
    expect(await db.monitor.count({ where: { externalId: 'shop-b' } })).toBe(0);
  });

  it('keeps teams apart', async () => {
    const mine = await put('ours');
    const theirs = await put('ours', {}, await makeKey(await signUp()));
    expect(theirs.status).toBe(201);
    expect(theirs.body.monitor.id).not.toBe(mine.body.monitor.id);
  });

  it('keeps a secret whose mask is sent back', async () => {
    const config = { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: 'abcdefgh12345678' } };
    const { body } = await put('secret', { config });
    expect((await put('secret', { config: body.monitor.config })).status).toBe(200);
    expect((await put('new secret', { config: body.monitor.config })).status).toBe(400);
  });

  it('requires the scope, the role, room in the plan and a valid body', async () => {
    expect((await put('no', {}, await makeKey(person, ['read']))).body.error.code).toBe('INSUFFICIENT_SCOPE');
    expect((await put('no', { name: '' })).body.error.issues[0].path).toBe('name');
    expect((await put('x'.repeat(256))).body.error.issues[0].path).toBe('externalId');
    expect((await put('no', { config: { url: 'http://a.test', colour: 'red' } })).status).toBe(400);
    const viewer = await signUp();
    await db.membership.updateMany({ where: { userId: viewer.userId }, data: { role: 'viewer' } });
    expect((await put('no', {}, viewer.token)).body.error.code).toBe('FORBIDDEN');
    const full = await signUp();
    await db.team.update({ where: { id: full.teamId }, data: { plan: 'free' } });
    const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => put(`full ${n}`, {}, full.token)));
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(2);
    expect((await put('full 0', { intervalSeconds: 30 }, full.token)).status).toBe(402);
  });
});

describe('GET and DELETE monitor by externalId', () => {
  const address = (externalId: string) => `/api/v1/monitors/by-external-id/${encodeURIComponent(externalId)}`;

  it('returns and deletes the monitor', async () => {
    const { body } = await put('a/b c');
    expect(await rest('GET', address('a/b c'), { token: key })).toMatchObject({ status: 200, body });
    expect(await rest('DELETE', address('a/b c'), { token: key })).toMatchObject({ status: 200, body: { ok: true } });
    for (const method of ['GET', 'DELETE']) {
      const answer = await rest(method, address('a/b c'), { token: key });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect(await db.monitor.count({ where: { id: body.monitor.id } })).toBe(0);
  });

  it('returns NOT_FOUND to another team', async () => {
    await put('only ours');
    const other = await makeKey(await signUp());
    for (const method of ['GET', 'DELETE']) {
      expect((await rest(method, address('only ours'), { token: other })).status).toBe(404);
    }
    expect((await rest('GET', address('only ours'), { token: key })).status).toBe(200);
  });

  it('requires the write scope to delete', async () => {
    await put('kept');
    const reading = await makeKey(person, ['read']);
    expect((await rest('GET', address('kept'), { token: reading })).status).toBe(200);
    expect((await rest('DELETE', address('kept'), { token: reading })).body.error.code).toBe('INSUFFICIENT_SCOPE');
  });

  it('deletes the monitor once, however many requests race, and keeps one renamed meanwhile', async () => {
    const { body } = await put('goes');
    const [deleted, renamed] = await Promise.all([
      rest('DELETE', address('goes'), { token: key }),
      rest('PUT', `/api/v1/monitors/${body.monitor.id}`, { token: key, body: { externalId: 'stays' } }),
    ]);
    expect([
      [200, 404],
      [404, 200],
    ]).toContainEqual([deleted.status, renamed.status]);
    await put('goes twice');
    const both = await Promise.all([1, 2].map(() => rest('DELETE', address('goes twice'), { token: key })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

it.each(['\n', '\r', '\u0007', '\u0085'])('rejects %j in a name or externalId', async (character) => {
  const text = `a${character}b`;
  const changes = [{ name: text }, { externalId: text }];
  const { body } = await put('plain');
  for (const change of changes) {
    const [path] = Object.keys(change);
    const created = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor(change) });
    const updated = await rest('PUT', `/dashboard/monitors/${body.monitor.id}`, { token: person.token, body: change });
    for (const answer of [created, updated])
      expect([answer.status, answer.body.error?.issues[0].path]).toEqual([400, path]);
  }
  expect((await put(text)).status).toBe(400);
});
