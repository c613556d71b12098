import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { makeMonitors } from '../checks/monitors';
import { makeMonitor, makePage, newSlug, PNG, pages, setRole } from './support';

let person: Person;
let outsider: Person;
let shop: string;
let search: string;

beforeAll(async () => {
  [person, outsider] = [await signUp(), await signUp()];
  [shop, search] = [await makeMonitor(person), await makeMonitor(person, { name: 'Search' })];
});

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe('creating a status page', () => {
  it('returns the page, public and with its monitors in order', async () => {
    const slug = newSlug();
    const body = { slug, title: ' Northwind ', description: 'How we are', monitorIds: [search, shop] };
    const answer = await pages(person, 'POST', '', body);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      statusPage: {
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        teamId: person.teamId,
        slug,
        title: 'Northwind',
        description: 'How we are',
        isPublic: true,
        monitorIds: [search, shop],
        displayNames: {},
        components: [],
        order: [search, shop],
        externalId: null,
        logoUrl: null,
        url: `http://127.0.0.1:3000/status/${slug}`,
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    });
    const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: answer.body.statusPage.id } });
    expect(entry).toMatchObject({ action: 'status_page.create', targetName: 'Northwind', actorId: person.userId });
  });

  it.each([
    ['slug', { slug: undefined }],
    ['slug', { slug: 'No Such' }],
    ['slug', { slug: 'ab' }],
    ['slug', { slug: 'api' }],
    ['slug', { slug: 7 }],
    ['title', { title: undefined }],
    ['title', { title: ' ' }],
    ['isPublic', { isPublic: 'true' }],
    ['monitorIds', { monitorIds: ['nothing'] }],
    ['monitorIds', { monitorIds: 'nothing' }],
  ])('names the invalid field %s', async (path, changes) => {
    const { status, body } = await pages(person, 'POST', '', { slug: newSlug(), title: 'Northwind', ...changes });
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('rejects a monitor of another team, and a repeated one', async () => {
    const slug = newSlug();
    for (const monitorIds of [
      [shop, await makeMonitor(outsider)],
      [shop, shop],
    ]) {
      const { status, body } = await pages(person, 'POST', '', { slug, title: 'Northwind', monitorIds });
      expect([status, body.error.code, body.error.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', 'monitorIds']);
    }
    expect(await db.statusPage.count({ where: { slug } })).toBe(0);
  });

  it('gives a slug to one of two concurrent teams', async () => {
    const body = { slug: newSlug(), title: 'Mine' };
    const answers = await Promise.all([pages(person, 'POST', '', body), pages(outsider, 'POST', '', body)]);
    expect(statusesOf(answers)).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('SLUG_TAKEN');
  });

  it("enforces the plan's limit for concurrent requests", async () => {
    const team = await signUp();
    await db.team.update({ where: { id: team.teamId }, data: { plan: 'pro' } });
    for (let index = 0; index < 9; index += 1) await makePage(team);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => pages(team, 'POST', '', { slug: newSlug(), title: 'One more' })),
    );
    expect(statusesOf(answers)).toEqual([201, 402, 402, 402, 402]);
    expect(answers.find(({ status }) => status === 402)?.body.error.code).toBe('PLAN_LIMIT_REACHED');
    expect(await db.statusPage.count({ where: { teamId: team.teamId } })).toBe(10);
  });
});

describe('updating a status page', () => {
  it('changes the given fields and nothing else', async () => {
    const page = await makePage(person, { description: 'Before', monitorIds: [shop, search] });
    const slug = newSlug();
    const renamed = await pages(person, 'PUT', `/${page.id}`, { slug });
    expect(renamed.status).toBe(200);
    expect(renamed.body.statusPage).toEqual({
      ...page,
      slug,
      url: `http://127.0.0.1:3000/status/${slug}`,
      updatedAt: expect.stringMatching(/Z$/),
    });
    const changes = { title: 'After', description: '', isPublic: false, monitorIds: [search] };
    const changed = await pages(person, 'PUT', `/${page.id}`, changes);
    expect(changed.body.statusPage).toMatchObject({ slug, ...changes });
    expect((await pages(person, 'PUT', `/${page.id}`, { monitorIds: [] })).body.statusPage.monitorIds).toEqual([]);
    expect((await pages(person, 'GET', `/${page.id}`)).body.statusPage).toMatchObject({ ...changes, monitorIds: [] });
    const entries = await db.auditEntry.findMany({ where: { targetId: page.id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action }) => action)).toEqual(['status_page.create', ...Array(3).fill('status_page.update')]);
    expect(entries[2]?.after).toMatchObject({ title: 'After', isPublic: false });
  });

  it('writes nothing without a change', async () => {
    const displayNames = { [shop]: 'Shop', [search]: 'Search' };
    const page = await makePage(person, { description: 'Before', monitorIds: [shop, search], displayNames });
    const { slug, title, description, isPublic, monitorIds } = page;
    for (const body of [{ slug }, { slug, title, description, isPublic, monitorIds, displayNames }]) {
      expect((await pages(person, 'PUT', `/${page.id}`, body)).body.statusPage).toEqual(page);
    }
    expect(await db.auditEntry.count({ where: { targetId: page.id } })).toBe(1);
    const turned = { monitorIds: monitorIds.toReversed() };
    expect((await pages(person, 'PUT', `/${page.id}`, turned)).body.statusPage).toMatchObject(turned);
  });

  it('rejects unknown fields and wrong types', async () => {
    const page = await makePage(person);
    for (const body of [{ colour: 'red' }, { isPublic: 1 }, { title: null }, { monitorIds: [null] }]) {
      const { status, body: answer } = await pages(person, 'PUT', `/${page.id}`, body);
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect((await pages(person, 'GET', `/${page.id}`)).body.statusPage).toEqual(page);
  });

  it('rejects the slug of another page, and accepts its own', async () => {
    const [first, second] = [await makePage(person), await makePage(outsider)];
    const taken = await pages(person, 'PUT', `/${first.id}`, { slug: second.slug, title: 'Changed' });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'SLUG_TAKEN']);
    expect((await pages(person, 'GET', `/${first.id}`)).body.statusPage).toEqual(first);
    expect((await pages(person, 'PUT', `/${first.id}`, { slug: first.slug })).status).toBe(200);
  });

  it('gives a slug to one of many concurrent pages', async () => {
    const own = await Promise.all(Array.from({ length: 5 }, () => makePage(person)));
    const slug = newSlug();
    const answers = await Promise.all(own.map(({ id }) => pages(person, 'PUT', `/${id}`, { slug })));
    expect(statusesOf(answers)).toEqual([200, 409, 409, 409, 409]);
  });

  it('keeps one whole order of two concurrent updates', async () => {
    const page = await makePage(person);
    const orders = [
      [shop, search],
      [search, shop],
    ];
    const answers = await Promise.all(orders.map((monitorIds) => pages(person, 'PUT', `/${page.id}`, { monitorIds })));
    expect(statusesOf(answers)).toEqual([200, 200]);
    expect(orders).toContainEqual((await pages(person, 'GET', `/${page.id}`)).body.statusPage.monitorIds);
  });

  it('succeeds while one of its monitors is deleted', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => makeMonitor(person)));
    const page = await makePage(person, { monitorIds: ids });
    const [last] = ids.slice(-1);
    const [deleted, ...saved] = await Promise.all([
      rest('DELETE', `/dashboard/monitors/${last}`, { token: person.token }),
      ...[ids, ids.toReversed(), ids.slice(0, 3)].map((monitorIds) =>
        pages(person, 'PUT', `/${page.id}`, { monitorIds }),
      ),
    ]);
    expect(deleted?.status).toBe(200);
    for (const { status } of saved) expect([200, 400]).toContain(status);
    expect((await pages(person, 'GET', `/${page.id}`)).body.statusPage.monitorIds).not.toContain(last);
  });
});

describe('display names', () => {
  it('keeps display names of monitors that stay, replaces them as a whole, and limits them to monitors on the page', async () => {
    const displayNames = { [shop]: 'The shop', [search]: 'Finding things' };
    const page = await makePage(person, { monitorIds: [shop, search], displayNames });
    expect(page.displayNames).toEqual(displayNames);
    const change = async (body: object) => (await pages(person, 'PUT', `/${page.id}`, body)).body;
    const kept = await change({ monitorIds: [search] });
    expect(kept.statusPage.displayNames).toEqual({ [search]: 'Finding things' });
    expect((await change({ title: 'Other' })).statusPage.displayNames).toEqual({ [search]: 'Finding things' });
    const refused = await change({ displayNames: { [shop]: 'The shop' } });
    expect(refused.error).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: `displayNames.${shop}` }] });
    expect((await change({ displayNames: {} })).statusPage.displayNames).toEqual({});
    const empty = await change({ displayNames: { [search]: ' ' } });
    expect(empty.error.issues[0].path).toBe(`displayNames.${search}`);
  });
});

describe('deleting a status page', () => {
  it('succeeds once, and keeps its monitors', async () => {
    const page = await makePage(person, { monitorIds: [shop] });
    const answers = await Promise.all([pages(person, 'DELETE', `/${page.id}`), pages(person, 'DELETE', `/${page.id}`)]);
    expect(statusesOf(answers)).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ ok: true });
    expect(await db.monitor.count({ where: { id: shop } })).toBe(1);
    expect(await db.auditEntry.count({ where: { targetId: page.id, action: 'status_page.delete' } })).toBe(1);
  });
});

describe('status page permissions', () => {
  const logo = { data: 'aGVsbG8=' };
  it.each([
    ['GET', '', undefined],
    ['PUT', '', { title: 'Mine' }],
    ['DELETE', '', undefined],
    ['PUT', '/logo', logo],
    ['DELETE', '/logo', undefined],
  ])('return NOT_FOUND to another team and UNAUTHORIZED without a credential: %s %s', async (method, path, body) => {
    const page = await makePage(person);
    const image = path === '/logo' && body ? { data: PNG.toString('base64') } : body;
    const answers = [
      await pages(outsider, method, `/${page.id}${path}`, image),
      await pages(person, method, `/01ARZ3NDEKTSV4RRFFQ69G5FAV${path}`, image),
      await pages(null, method, `/${page.id}${path}`, image),
    ];
    expect(answers.map(({ status, body: { error } }) => [status, error.code])).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [401, 'UNAUTHENTICATED'],
    ]);
    expect((await pages(person, 'GET', `/${page.id}`)).body.statusPage).toEqual(page);
  });

  it('let a viewer read, and a member write', async () => {
    const own = await signUp();
    const page = await makePage(own);
    await setRole(own, 'viewer');
    expect((await pages(own, 'GET')).body.statusPages).toEqual([page]);
    const refused = [
      await pages(own, 'POST', '', { slug: newSlug(), title: 'Mine' }),
      await pages(own, 'PUT', `/${page.id}`, { title: 'Mine' }),
      await pages(own, 'DELETE', `/${page.id}`),
      await pages(own, 'PUT', `/${page.id}/logo`, { data: PNG.toString('base64') }),
      await pages(own, 'DELETE', `/${page.id}/logo`),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(Array(5).fill([403, 'FORBIDDEN']));
    await setRole(own, 'member');
    expect((await pages(own, 'PUT', `/${page.id}`, { title: 'Ours' })).status).toBe(200);
  });

  it('reject API keys', async () => {
    const key = await makeKey(person);
    expect((await rest('GET', '/dashboard/status-pages', { token: key })).status).toBe(401);
  });
});

describe('GET status pages', () => {
  it('ends a page of the list early after 1,000 monitors', async () => {
    const other = await signUp('Kim');
    await db.team.update({ where: { id: other.teamId }, data: { plan: 'self_hosted' } });
    const monitors = await makeMonitors(other.teamId, new Array(400).fill({ url: 'https://shop.example.test/' }));
    const monitorIds = monitors.map(({ id }) => id);
    for (let n = 0; n < 5; n += 1) await makePage(other, { monitorIds });
    const sizes: number[] = [];
    const ids = new Set<string>();
    let cursor: string | null = null;
    do {
      const { body }: { body: { statusPages: { id: string }[]; nextCursor: string | null } } = await pages(
        other,
        'GET',
        `?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      sizes.push(body.statusPages.length);
      for (const { id } of body.statusPages) ids.add(id);
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect([sizes, ids.size]).toEqual([[2, 2, 1], 5]);
  });

  it("returns the team's pages, newest first, page by page", async () => {
    const own = await signUp();
    const made = [await makePage(own), await makePage(own), await makePage(own)];
    const first = await pages(own, 'GET', '?limit=2');
    const second = await pages(own, 'GET', `?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.statusPages, ...second.body.statusPages]).toEqual(made.toReversed());
    expect(second.body.nextCursor).toBeNull();
  });
});
