import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
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

describe('putting a monitor by its externalId', () => {
  it('creates it once, then updates it', async () => {
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

  it('makes one monitor, however many race', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put('raced', { name: `Shop ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.monitor.id)).size).toBe(1);
    expect(await db.monitor.count({ where: { externalId: 'raced' } })).toBe(1);
  });

  it('ends well while others delete it', async () => {
    const { body } = await put('contested');
    const answers = await Promise.all([
      rest('DELETE', `/api/v1/monitors/${body.monitor.id}`, { token: key }),
      put('contested'),
      put('contested'),
    ]);
    for (const { status } of answers) expect([200, 201]).toContain(status);
    expect(await db.monitor.count({ where: { externalId: 'contested' } })).toBeLessThanOrEqual(1);
  });

  it('refuses another type, and keeps what is there', async () => {
    const { body } = await put('typed');
    const other = await put('typed', { type: 'tcp', config: { host: 'example.test', port: 80 } });
    expect(other.status).toBe(400);
    expect(other.body.error.issues[0].path).toBe('type');
    expect((await rest('GET', `/api/v1/monitors/${body.monitor.id}`, { token: key })).body).toEqual(body);
  });

  it('refuses a body that names another, and takes the same', async () => {
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

  it('keeps a secret that comes back as its mask', async () => {
    const config = { url: 'http://127.0.0.1:9/', auth: { kind: 'bearer', token: 'abcdefgh12345678' } };
    const { body } = await put('secret', { config });
    expect((await put('secret', { config: body.monitor.config })).status).toBe(200);
    expect((await put('new secret', { config: body.monitor.config })).status).toBe(400);
  });

  it('needs the scope, the role, room in the plan and a good body', async () => {
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

it.each(['\n', '\r', '\u0007', '\u0085'])('%j stands in no name and no externalId', async (character) => {
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
