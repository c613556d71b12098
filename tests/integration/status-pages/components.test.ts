import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { listen } from '@/server/platform/listen';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { PublicStatusPage } from '@/server/status-pages/schema';
import { snapshots } from '@/server/status-pages/snapshots/snapshots';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { as, join, makeKey, type Person, signUp } from '@/tests/support/rest';
import { startStatusServer } from '@/tests/support/servers/status-server';
import { makeMonitor, makePage, pages } from './support';

const COMPONENTS = '/api/v1/status-page-components';
const INCIDENTS = '/api/v1/incidents';

let person: Person;
let outsider: Person;
let shop: string;
let search: string;
let server: Awaited<ReturnType<typeof startStatusServer>>;

const call = (method: string, path: string, body?: unknown) => as(person.token)(method, path, body);
const create = (statusPageId: string, name: string, more: object = {}) =>
  call('POST', COMPONENTS, { statusPageId, name, ...more });
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

async function makeComponent(statusPageId: string, name = 'Support phone line', more: object = {}): Promise<string> {
  const { status, body } = await create(statusPageId, name, more);
  if (status !== 201) throw new Error(`Making a component answered ${status}: ${JSON.stringify(body)}`);
  return body.component.id;
}
const openIncident = async (body: Record<string, unknown>): Promise<string> =>
  (await call('POST', INCIDENTS, { title: 'Calls drop', ...body })).body.incident.id;
const pageOf = async (id: string) => (await pages(person, 'GET', `/${id}`)).body.statusPage;

/** The data of the public page as it is now. */
async function publicPage(slug: string): Promise<PublicStatusPage> {
  const found = await readPublicPage(db, slug);
  if (!found) throw new Error('There is no such page.');
  return found.page;
}

beforeAll(async () => {
  server = await startStatusServer();
  [person, outsider] = [await signUp('Robin'), await signUp()];
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
  [shop, search] = [await makeMonitor(person, { name: 'Shop' }), await makeMonitor(person, { name: 'Search' })];
});
afterAll(() => server.close());

describe('components without a monitor', () => {
  it('adds components at the end of their page, changes and deletes them, with audit entries that name them', async () => {
    const page = await makePage(person, { monitorIds: [shop] });
    const { status, body } = await create(page.id, ' Support phone line ', { description: 'Weekdays' });
    expect(status).toBe(201);
    const { component } = body;
    expect(component).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      statusPageId: page.id,
      statusPageTitle: 'Northwind',
      name: 'Support phone line',
      description: 'Weekdays',
      status: 'up',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const shown = { id: component.id, name: 'Support phone line', description: 'Weekdays' };
    expect(await pageOf(page.id)).toMatchObject({ components: [shown], order: [shop, component.id] });
    // An open editor of the page stays at its version.
    expect((await pageOf(page.id)).updatedAt).toBe(page.updatedAt);

    const path = `${COMPONENTS}/${component.id}`;
    const renamed = await call('PUT', path, { name: 'Hotline', ifUpdatedAt: component.updatedAt });
    expect(renamed.body.component).toMatchObject({ name: 'Hotline', description: 'Weekdays' });
    const outdated = await call('PUT', path, { name: 'Phone', ifUpdatedAt: component.updatedAt });
    expect([outdated.status, outdated.body.error.code]).toEqual([409, 'EDIT_CONFLICT']);
    expect((await call('PUT', path, { name: 'Hotline' })).body.component).toEqual(renamed.body.component);
    expect((await call('GET', path)).body.component).toEqual(renamed.body.component);

    expect((await call('DELETE', path)).body).toEqual({ ok: true });
    expect((await call('GET', path)).status).toBe(404);
    const entries = await db.auditEntry.findMany({ where: { targetId: component.id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, targetName }) => [action, targetName])).toEqual([
      ['status_page_component.create', 'Support phone line'],
      ['status_page_component.update', 'Hotline'],
      ['status_page_component.delete', 'Hotline'],
    ]);
  });

  it('lists components with a search, page by page', async () => {
    const page = await makePage(person);
    const ids = [
      await makeComponent(page.id, 'Listed A'),
      await makeComponent(page.id, 'Listed 100%'),
      await makeComponent(page.id, 'Other'),
    ];
    const list = async (query: string) => (await call('GET', `${COMPONENTS}?statusPageId=${page.id}&${query}`)).body;
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    const listed = [...first.components, ...second.components].map(({ id }: { id: string }) => id);
    expect([listed, second.nextCursor]).toEqual([ids.toReversed(), null]);
    expect((await list('q=listed')).components).toHaveLength(2);
    expect((await list('q=0%25')).components.map(({ name }: { name: string }) => name)).toEqual(['Listed 100%']);
    expect((await as(outsider.token)('GET', COMPONENTS)).body.components).toEqual([]);
  });

  it('have a name that their page has once, whatever its case, width and spaces', async () => {
    const [page, other] = [await makePage(person), await makePage(person)];
    await makeComponent(page.id, 'Payments provider');
    const second = await makeComponent(page.id, 'Phone');
    for (const name of [
      'payments PROVIDER',
      'Payments  provider',
      'Payments\u00a0provider',
      'ＰＡＹＭＥＮＴＳ provider',
    ]) {
      const { status, body } = await create(page.id, name);
      expect([name, status, body.error?.issues]).toEqual([
        ...[name, 400],
        [{ path: 'name', message: 'Another component of this page has this name.' }],
      ]);
    }
    const renamed = await call('PUT', `${COMPONENTS}/${second}`, { name: 'PAYMENTS provider' });
    expect(renamed.body.error.issues[0].path).toBe('name');
    expect((await create(other.id, 'Payments provider')).status).toBe(201);
    expect((await call('PUT', `${COMPONENTS}/${second}`, { name: 'PHONE' })).status).toBe(200);
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(121) }],
    ['name', { name: 'Two\nlines' }],
    ['name', { name: 7 }],
    ['description', { description: 'x'.repeat(301) }],
    ['description', { description: 'Two\nlines' }],
    ['statusPageId', { statusPageId: 'nothing' }],
    ['position', { position: 1 }],
  ])('names the invalid field %s: %j', async (path, changes) => {
    const page = await makePage(person);
    const { status, body } = await create(page.id, 'Phone', changes);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.issues[0].path).toBe(path);
  });

  it('belong to their team', async () => {
    const page = await makePage(person);
    const id = await makeComponent(page.id);
    const other = as(outsider.token);
    for (const [method, body] of [['GET'], ['PUT', { name: 'Theirs' }], ['DELETE']] as const) {
      expect((await other(method, `${COMPONENTS}/${id}`, body)).status, method).toBe(404);
    }
    const added = await other('POST', COMPONENTS, { statusPageId: page.id, name: 'Theirs' });
    expect(added.body.error.issues[0].path).toBe('statusPageId');
    expect((await pageOf(page.id)).components).toHaveLength(1);
  });

  it('can be read by viewers and changed by members', async () => {
    const page = await makePage(person);
    const id = await makeComponent(page.id);
    const viewer = await join(person, 'viewer');
    expect((await as(viewer.token)('GET', `${COMPONENTS}/${id}`)).status).toBe(200);
    expect((await as(viewer.token)('DELETE', `${COMPONENTS}/${id}`)).body.error.code).toBe('FORBIDDEN');
    const reader = await makeKey(person, ['read']);
    expect((await as(reader)('DELETE', `${COMPONENTS}/${id}`)).body.error.code).toBe('INSUFFICIENT_SCOPE');
    const member = await join(person, 'member');
    expect((await as(member.token)('DELETE', `${COMPONENTS}/${id}`)).status).toBe(200);
  });

  it('caps components by the plan, also where many are added at once', async () => {
    const owner = await signUp();
    await db.team.update({ where: { id: owner.teamId }, data: { plan: 'free' } });
    const page = await makePage(owner);
    const add = (name: string) => as(owner.token)('POST', COMPONENTS, { statusPageId: page.id, name });
    for (const name of ['1', '2', '3', '4']) await add(name);
    const answers = await Promise.all(['5', '6', '7', '8'].map(add));
    expect(statusesOf(answers)).toEqual([201, 402, 402, 402]);
    const refused = answers.find(({ status }) => status === 402);
    expect(refused?.body.error).toMatchObject({
      code: 'PLAN_LIMIT_REACHED',
      message: 'The free plan allows 5 components per status page.',
    });
  });

  it('get a name only once where it is given at once', async () => {
    const page = await makePage(person);
    const answers = await Promise.all(['Phone', 'PHONE', 'phone'].map((name) => create(page.id, name)));
    expect(statusesOf(answers)).toEqual([201, 400, 400]);
  });
});

describe('the order of monitors and components', () => {
  const put = (id: string, body: unknown) => pages(person, 'PUT', `/${id}`, body);

  it('is one for both, and monitorIds alone keeps components behind their monitor', async () => {
    const page = await makePage(person, { monitorIds: [shop, search] });
    const [phone, bank] = [await makeComponent(page.id, 'Phone'), await makeComponent(page.id, 'Bank')];
    const { body } = await put(page.id, { order: [bank, shop, phone, search] });
    expect(body.statusPage).toMatchObject({
      monitorIds: [shop, search],
      order: [bank, shop, phone, search],
      components: [{ id: bank }, { id: phone }],
    });
    expect((await publicPage(page.slug)).components.map(({ name }) => name)).toEqual([
      ...['Bank', 'Shop', 'Phone', 'Search'],
    ]);
    await put(page.id, { displayNames: { [shop]: 'Our shop' } });
    const swapped = await put(page.id, { monitorIds: [search, shop] });
    expect(swapped.body.statusPage).toMatchObject({
      order: [bank, search, shop, phone],
      displayNames: { [shop]: 'Our shop' },
    });
    const partial = await put(page.id, { order: [phone, shop] });
    expect(partial.body.statusPage.order).toEqual([phone, shop, bank, search]);
    const removed = await put(page.id, { monitorIds: [search], order: [search, bank] });
    expect(removed.body.statusPage).toMatchObject({ monitorIds: [search], order: [search, bank, phone] });
    // The same values do not create a new version.
    expect((await put(page.id, { order: [search, bank, phone] })).body).toEqual(removed.body);
  });

  it.each([
    ['of another page', async () => makeComponent((await makePage(person)).id)],
    ['that is no monitor of the page', async () => search],
    ['that does not exist', async () => 'nothing'],
  ])('rejects an ID %s', async (_name, make) => {
    const page = await makePage(person, { monitorIds: [shop] });
    const { status, body } = await put(page.id, { order: [await make(), shop] });
    expect([status, body.error.issues[0].path]).toEqual([400, 'order']);
  });

  it('rejects an ID that is named twice', async () => {
    const page = await makePage(person, { monitorIds: [shop] });
    expect((await put(page.id, { order: [shop, shop] })).body.error.issues[0].path).toBe('order');
  });

  it('ends right where a component is deleted while others are moved', async () => {
    const page = await makePage(person, { monitorIds: [shop, search] });
    for (let round = 0; round < 5; round += 1) {
      const ids = await Promise.all(['A', 'B', 'C'].map((name) => makeComponent(page.id, `${name}${round}`)));
      const [first = '', second = '', third = ''] = ids;
      const [deleted, moved] = await Promise.all([
        call('DELETE', `${COMPONENTS}/${second}`),
        put(page.id, { order: [third, search, second, first, shop] }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 400]).toContain(moved.status);
      if (moved.status === 400) expect(moved.body.error.issues[0].path).toBe('order');
      const { order, components } = await pageOf(page.id);
      expect([...order].sort()).toEqual([first, third, shop, search].sort());
      expect(components).toHaveLength(2);
      if (moved.status === 200) expect(order).toEqual([third, search, first, shop]);
      for (const id of [first, third]) await call('DELETE', `${COMPONENTS}/${id}`);
    }
  });

  it('can be changed by API keys', async () => {
    const key = as(await makeKey(person));
    const page = (await key('POST', '/api/v1/status-pages', { slug: `keyed-${Date.now()}`, title: 'Keyed' })).body
      .statusPage;
    const { component } = (await key('POST', COMPONENTS, { statusPageId: page.id, name: 'Phone' })).body;
    const path = `/api/v1/status-pages/${page.id}`;
    const { body } = await key('PUT', path, { monitorIds: [shop], order: [component.id, shop] });
    expect((await key('GET', path)).body).toEqual(body);
    expect(body.statusPage.order).toEqual([component.id, shop]);
    expect((await key('DELETE', path)).body).toEqual({ ok: true });
    expect((await key('GET', `${COMPONENTS}/${component.id}`)).status).toBe(404);
  });
});

describe('incidents on a status page that name its components', () => {
  it.each([
    ['critical', 'down', 'down', 'Support phone line is down', 'major_outage'],
    ['warning', 'degraded', 'degraded', 'Support phone line is degraded', 'degraded_performance'],
    ['minor', 'degraded', 'degraded', 'Support phone line is degraded', 'degraded_performance'],
  ] as const)('make them follow the severity %s', async (severity, status, overall, headline, statuspage) => {
    const page = await makePage(person);
    const phone = await makeComponent(page.id, 'Support phone line', { description: 'Weekdays from 8 to 18' });
    await makeComponent(page.id, 'Bank');
    expect(await publicPage(page.slug)).toMatchObject({ overall: 'operational', checkedAt: null });
    const incident = await openIncident({ severity, componentIds: [phone] });
    await call('POST', `${INCIDENTS}/${incident}/updates`, { message: 'We called them.', isPublic: true });

    const shown = await publicPage(page.slug);
    expect(shown).toMatchObject({ overall, headline });
    expect(shown.components).toMatchObject([{ status, description: 'Weekdays from 8 to 18' }, { status: 'up' }]);
    expect(shown.components[0]?.days.at(-1)).toBe(status);
    expect(shown.components[0]?.days.at(-2)).toBeNull();
    const componentIds = shown.components.slice(0, 1).map(({ id }) => id);
    expect(componentIds[0]).not.toBe(phone);
    expect(shown.openIncidents).toMatchObject([
      { title: 'Calls drop', impact: status, component: 'Support phone line', componentIds },
    ]);
    expect((await call('GET', `${COMPONENTS}/${phone}`)).body.component.status).toBe(status);

    snapshots().drop(person.teamId);
    const read = async (document: string) => (await fetch(`${server.url}/status/${page.slug}${document}`)).text();
    const html = await read('');
    for (const text of ['Support phone line', 'Weekdays from 8 to 18', 'Calls drop', 'We called them.', headline]) {
      expect(html, text).toContain(text);
    }
    expect(html).not.toContain('No checks yet');
    for (const feed of ['/feed.atom', '/feed.rss']) {
      expect(await read(feed), feed).toContain('Affects Support phone line.');
    }
    expect(await read('/badge.svg')).toContain(overall);
    const summary = JSON.parse(await read('/api/v2/summary.json'));
    expect(summary.components).toMatchObject([
      { name: 'Support phone line', description: 'Weekdays from 8 to 18', status: statuspage, position: 1 },
      { name: 'Bank', description: null, status: 'operational', position: 2 },
    ]);
    expect(summary.incidents[0].components).toMatchObject([{ name: 'Support phone line' }]);
    for (const text of [html, JSON.stringify(summary)]) {
      for (const internal of [phone, incident, person.teamId]) expect(text).not.toContain(internal);
    }

    await call('POST', `${INCIDENTS}/${incident}/resolve`);
    const after = await publicPage(page.slug);
    expect(after).toMatchObject({ overall: 'operational', pastIncidents: [{ component: 'Support phone line' }] });
    expect(after.components[0]).toMatchObject({ status: 'up' });
    expect(PublicStatusPage.safeParse(after).success).toBe(true);
  });

  it('count into their days from the creation on', async () => {
    const page = await makePage(person);
    const phone = await makeComponent(page.id);
    const now = Date.now();
    await db.statusPageComponent.update({ where: { id: phone }, data: { createdAt: new Date(now - 10 * DAY_MS) } });
    const past = await openIncident({ componentIds: [phone] });
    const startedAt = new Date(Math.floor(now / DAY_MS) * DAY_MS - 3 * DAY_MS + HOUR_MS);
    const times = { startedAt, resolvedAt: new Date(startedAt.getTime() + 6 * HOUR_MS), status: 'resolved' } as const;
    await db.incident.update({ where: { id: past }, data: { ...times, openKey: null } });
    const [component] = (await publicPage(page.slug)).components;
    const known = component?.days.filter((day) => day !== null) ?? [];
    expect(known).toHaveLength(11);
    expect(known.filter((day) => day === 'down')).toHaveLength(1);
    expect(component?.days.at(-4)).toBe('down');
    expect(component?.notableDays).toMatchObject([{ down: 21_600, uptime: 0.75 }]);
    expect(component?.uptime).toBeCloseTo(1 - 6 / 240, 4);
  });

  it('shows incidents that name components on the pages of these components only', async () => {
    const [one, two] = [await makePage(person), await makePage(person, { monitorIds: [shop] })];
    const [phone, bank] = [await makeComponent(one.id, 'Phone'), await makeComponent(two.id, 'Bank')];
    await openIncident({ title: 'Only the bank', componentIds: [bank] });
    await openIncident({ title: 'Both', componentIds: [phone, bank], monitorIds: [search] });
    const shown = async (slug: string) =>
      (await publicPage(slug)).openIncidents.map(({ title, component }) => [title, component]);
    expect(await shown(one.slug)).toEqual([['Both', 'Phone']]);
    expect(await shown(two.slug)).toEqual([
      ['Both', 'Bank'],
      ['Only the bank', 'Bank'],
    ]);
  });

  it('refresh the editors of the pages that show them', async () => {
    const page = await makePage(person);
    const phone = await makeComponent(page.id);
    const events: string[] = [];
    const stop = await listen('live', ({ kind, ids }) => events.push(...ids.map((id) => `${kind}:${id}`)));
    const notifiesPages = async (run: () => Promise<unknown>) => {
      events.length = 0;
      await run();
      await expect.poll(() => events).toContain(`status-page:${page.id}`);
    };
    let incident = '';
    await notifiesPages(async () => {
      incident = await openIncident({ componentIds: [phone] });
    });
    await notifiesPages(() => call('PATCH', `${INCIDENTS}/${incident}`, { severity: 'minor' }));
    await notifiesPages(() => call('PATCH', `${INCIDENTS}/${incident}`, { componentIds: [] }));
    await notifiesPages(() => call('PATCH', `${INCIDENTS}/${incident}`, { componentIds: [phone] }));
    await notifiesPages(() => call('POST', `${INCIDENTS}/${incident}/resolve`));
    await stop();
  });

  it('keeps an incident without a component that is deleted', async () => {
    const page = await makePage(person);
    const [phone, bank] = [await makeComponent(page.id, 'Phone'), await makeComponent(page.id, 'Bank')];
    const incident = await openIncident({ componentIds: [phone, bank] });
    const events: string[] = [];
    const stop = await listen('live', ({ kind, ids }) => events.push(...ids.map((id) => `${kind}:${id}`)));
    await call('DELETE', `${COMPONENTS}/${phone}`);
    await expect.poll(() => events).toEqual(expect.arrayContaining([`incident:${incident}`, `status-page:${page.id}`]));
    await stop();
    const { body } = await call('GET', `${INCIDENTS}/${incident}`);
    expect(body.incident.components).toMatchObject([{ id: bank, name: 'Bank' }]);
    await pages(person, 'DELETE', `/${page.id}`);
    expect((await call('GET', `${INCIDENTS}/${incident}`)).body.incident).toMatchObject({
      status: 'open',
      components: [],
    });
  });

  it('name a deleted component in no case where both happen at once', async () => {
    const page = await makePage(person);
    for (let round = 0; round < 6; round += 1) {
      const phone = await makeComponent(page.id);
      const existing = await openIncident({});
      const [deleted, opened, edited] = await Promise.all([
        call('DELETE', `${COMPONENTS}/${phone}`),
        call('POST', INCIDENTS, { title: 'Calls drop', componentIds: [phone] }),
        call('PATCH', `${INCIDENTS}/${existing}`, { componentIds: [phone] }),
      ]);
      expect(deleted.status).toBe(200);
      for (const { status, body } of [opened, edited]) {
        if (status >= 400) expect([status, body.error.issues[0].path]).toEqual([400, 'componentIds']);
      }
      const kept = [existing, ...(opened.status === 201 ? [opened.body.incident.id] : [])];
      for (const id of kept) expect((await call('GET', `${INCIDENTS}/${id}`)).body.incident.components).toEqual([]);
    }
    expect(await db.incidentComponent.count({ where: { component: { statusPageId: page.id } } })).toBe(0);
  });
});
