import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { as, join, type Person, signUp } from '@/tests/support/rest';

const VIEWS = '/api/v1/saved-views';
let owner: Person;
let member: Person;
let viewer: Person;
let outsider: Person;
beforeAll(async () => {
  owner = await signUp('Ada');
  outsider = await signUp('Eve');
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
  member = await join(owner, 'member');
  viewer = await join(owner, 'viewer');
});
beforeEach(() => db.savedView.deleteMany());

const create = (person: Person, body: object) => as(person.token)('POST', VIEWS, body);
const make = async (name: string, more: object = {}): Promise<string> =>
  (await create(owner, { name, query: 'tag=payments', ...more })).body.savedView.id;
const list = async (person: Person) => (await as(person.token)('GET', VIEWS)).body.savedViews;
const defaults = async () => (await list(owner)).filter((view: { isDefault: boolean }) => view.isDefault);

describe('saved views', () => {
  it('are shared by the team, viewers included', async () => {
    const created = await create(member, { name: ' Payments ', query: 'tag=payments&sort=p95' });
    expect(created.status).toBe(201);
    expect(created.body.savedView).toMatchObject({
      name: 'Payments',
      query: 'tag=payments&sort=p95',
      isDefault: false,
    });
    expect(await list(viewer)).toEqual([created.body.savedView]);
    expect(await list(outsider)).toEqual([]);
  });

  it('are not changed if somebody else changed them meanwhile', async () => {
    const { savedView } = (await create(owner, { name: 'Payments', query: 'tag=payments' })).body;
    const change = (body: object) => as(member.token)('PATCH', `${VIEWS}/${savedView.id}`, body);
    const ifUpdatedAt = savedView.updatedAt;
    const answers = await Promise.all([
      change({ query: 'tag=shop', ifUpdatedAt }),
      change({ query: 'tag=docs', ifUpdatedAt }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('EDIT_CONFLICT');
    expect((await change({ name: 'Shop' })).status).toBe(200);
  });

  it('are changed and deleted by members, not by viewers or other teams', async () => {
    const id = await make('Payments');
    for (const person of [viewer, outsider]) {
      const status = person === viewer ? 403 : 404;
      expect((await as(person.token)('PATCH', `${VIEWS}/${id}`, { name: 'Mine' })).status).toBe(status);
      expect((await as(person.token)('DELETE', `${VIEWS}/${id}`)).status).toBe(status);
    }
    expect((await create(viewer, { name: 'Mine', query: '' })).status).toBe(403);
    const changed = await as(member.token)('PATCH', `${VIEWS}/${id}`, { query: '' });
    expect(changed.body.savedView).toMatchObject({ name: 'Payments', query: '' });
    expect((await as(member.token)('DELETE', `${VIEWS}/${id}`)).status).toBe(200);
    expect((await as(member.token)('DELETE', `${VIEWS}/${id}`)).status).toBe(404);
    expect((await as(member.token)('PATCH', `${VIEWS}/${id}`, { name: 'Gone' })).status).toBe(404);
  });

  it.each([
    ['colour=red', 'The list of monitors has no parameter colour.'],
    ['sort=name&sort=p95', 'sort is given twice.'],
    ['status=broken', 'status: '],
    ['density=huge', 'density: '],
    [`q=${'a'.repeat(201)}`, 'q: '],
  ])('refuse a query that the list cannot show: %s', async (query, message) => {
    const { status, body } = await create(owner, { name: 'Wrong', query });
    expect(status).toBe(400);
    expect(body.error.issues).toEqual([{ path: 'query', message: expect.stringContaining(message) }]);
  });

  it('refuse a name in use and an empty one, and keep their own name', async () => {
    const id = await make('Payments');
    const other = await make('Web');
    const issues = [{ path: 'name', message: expect.stringContaining('already') }];
    expect((await create(member, { name: 'Payments', query: '' })).body.error.issues).toEqual(issues);
    expect((await as(owner.token)('PATCH', `${VIEWS}/${other}`, { name: 'Payments' })).body.error.issues).toEqual(
      issues,
    );
    expect((await as(owner.token)('PATCH', `${VIEWS}/${id}`, { name: 'Payments' })).status).toBe(200);
    expect((await create(member, { name: ' ', query: '' })).body.error.issues[0].path).toBe('name');
    expect((await create(outsider, { name: 'Payments', query: '' })).status).toBe(201);
  });

  it('record no change in the audit log when nothing changes', async () => {
    const id = await make('Payments');
    await as(owner.token)('PATCH', `${VIEWS}/${id}`, { name: 'Payments' });
    const entries = await db.auditEntry.findMany({ where: { targetId: id } });
    expect(entries.map(({ action }) => action)).toEqual(['saved_view.create']);
  });
});

describe('concurrent calls', () => {
  it('leave one default view', async () => {
    const ids = [await make('A', { isDefault: true }), await make('B'), await make('C')];
    await Promise.all([
      ...ids.map((id) => as(owner.token)('PATCH', `${VIEWS}/${id}`, { isDefault: true })),
      make('D', { isDefault: true }),
    ]);
    expect(await defaults()).toHaveLength(1);
    await as(owner.token)('PATCH', `${VIEWS}/${(await defaults())[0].id}`, { isDefault: false });
    expect(await defaults()).toEqual([]);
  });

  it('create at most 20 views of different names', async () => {
    const same = await Promise.all(Array.from({ length: 5 }, () => create(owner, { name: 'Same', query: '' })));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    const many = await Promise.all(
      Array.from({ length: 25 }, (_, at) => create(owner, { name: `V ${at}`, query: '' })),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(many.find(({ status }) => status !== 201)?.body.error.code).toBe('PLAN_LIMIT_REACHED');
    expect(await list(owner)).toHaveLength(20);
  });
});
