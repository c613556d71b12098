import { beforeAll, describe, expect, it } from 'vitest';
import { as, httpMonitor, makeKey, type Person, signUp } from '@/tests/support/rest';

let person: Person;
let send: ReturnType<typeof as>;
let sendOther: ReturnType<typeof as>;
let monitorId: string;

beforeAll(async () => {
  person = await signUp();
  send = as(await makeKey(person));
  sendOther = as(await makeKey(await signUp()));
  monitorId = (await send('POST', '/api/v1/monitors', httpMonitor())).body.monitor.id;
});

const layer = () => ({
  name: 'Primary',
  userIds: [person.userId],
  rotation: { unit: 'weeks', every: 1 },
  startDate: '2026-11-16',
  handoverTime: '08:00',
});
let slugs = 0;
const newSlug = () => {
  slugs += 1;
  return `external-${process.pid}-${slugs}`;
};

/** Each kind of object that has an external ID beside monitors: where it is, its names in responses, and bodies of a new one. */
const kinds = [
  {
    path: '/api/v1/channels',
    one: 'channel',
    many: 'channels',
    body: () => ({ type: 'webhook', name: 'Hook', config: { url: 'https://hooks.example.test/a/b' } }),
    change: { name: 'Renamed' },
  },
  {
    path: '/api/v1/maintenance-windows',
    one: 'maintenanceWindow',
    many: 'maintenanceWindows',
    body: () => ({
      title: 'Router',
      startsAt: '2027-01-02T03:00:00Z',
      endsAt: '2027-01-02T05:00:00Z',
      recurrence: 'FREQ=WEEKLY',
      monitorIds: null,
    }),
    change: { title: 'Renamed' },
  },
  {
    path: '/api/v1/on-call/schedules',
    one: 'schedule',
    many: 'schedules',
    body: () => ({ name: 'Payments', layers: [layer()] }),
    change: { name: 'Renamed' },
  },
  {
    path: '/api/v1/escalation-policies',
    one: 'escalationPolicy',
    many: 'escalationPolicies',
    body: () => ({
      name: 'Payments',
      steps: [{ targets: [{ type: 'user', id: person.userId }], waitMinutes: 5 }],
      tags: ['shop'],
      monitorIds: [],
    }),
    change: { name: 'Renamed' },
  },
  {
    path: '/api/v1/status-pages',
    one: 'statusPage',
    many: 'statusPages',
    body: () => ({ slug: newSlug(), title: 'Shop', monitorIds: [monitorId], displayNames: { [monitorId]: 'Web' } }),
    change: { title: 'Renamed' },
  },
];

describe.each(kinds)('the externalId of $many', ({ path, one, many, body, change }) => {
  const create = (externalId: string | null) => send('POST', path, { ...body(), externalId });

  it('is returned, and filters the list', async () => {
    const created = await create('shop/eu 1');
    expect([created.status, created.body[one].externalId]).toEqual([201, 'shop/eu 1']);
    const { id } = created.body[one];
    expect((await send('GET', `${path}/${id}`)).body[one].externalId).toBe('shop/eu 1');
    const found = (await send('GET', `${path}?externalId=${encodeURIComponent('shop/eu 1')}`)).body[many];
    expect(found.map((each: { id: string }) => each.id)).toEqual([id]);
    expect((await send('GET', `${path}?externalId=shop`)).body[many]).toEqual([]);
    expect((await sendOther('GET', `${path}?externalId=${encodeURIComponent('shop/eu 1')}`)).body[many]).toEqual([]);
  });

  it('belongs to one object of a team', async () => {
    const first = (await create('taken')).body[one];
    const second = await create('taken');
    expect([second.status, second.body.error.issues[0].path]).toEqual([400, 'externalId']);
    const free = (await create(null)).body[one];
    expect(free.externalId).toBeNull();
    const update = await send('PUT', `${path}/${free.id}`, { externalId: 'taken' });
    expect([update.status, update.body.error.issues[0].path]).toEqual([400, 'externalId']);
    expect((await send('PUT', `${path}/${first.id}`, { externalId: null })).body[one].externalId).toBeNull();
    const moved = await send('PUT', `${path}/${free.id}`, { externalId: 'taken' });
    expect([moved.status, moved.body[one].externalId]).toEqual([200, 'taken']);
  });

  it('is given to one of several objects that are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('raced')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  it('rejects empty and long values', async () => {
    for (const externalId of ['', 'x'.repeat(256), 'a\nb', 7]) {
      const { status, body: answer } = await send('POST', path, { ...body(), externalId });
      expect([status, answer.error.issues[0].path]).toEqual([400, 'externalId']);
    }
  });

  it('stays when the object is sent back as it was read', async () => {
    const { [one]: read } = (await create(`sent back ${one}`)).body;
    const { [one]: before } = (await send('GET', `${path}/${read.id}`)).body;
    const same = await send('PUT', `${path}/${read.id}`, before);
    // No new version: nothing changed.
    expect([same.status, same.body[one].updatedAt]).toEqual([200, before.updatedAt]);
    const changed = await send('PUT', `${path}/${read.id}`, { ...before, ...change, ifUpdatedAt: before.updatedAt });
    expect([changed.status, changed.body[one]]).toMatchObject([200, { ...change, externalId: `sent back ${one}` }]);
    for (const wrong of [{ teamId: 'another' }, { createdAt: '2020-01-01T00:00:00.000Z' }]) {
      const refused = await send('PUT', `${path}/${read.id}`, { ...before, ...wrong });
      expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, Object.keys(wrong)[0]]);
    }
  });
});

it('is no field of a contact method', async () => {
  const body = { type: 'email', name: 'Mail', config: { to: person.email } };
  const path = '/api/v1/me/contact-methods';
  const refused = await as(person.token)('POST', path, { ...body, externalId: 'mine' });
  expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, 'externalId']);
  const { status, body: answer } = await as(person.token)('POST', path, body);
  expect([status, 'externalId' in answer.contactMethod]).toEqual([201, false]);
});

it('lists parents of monitors and members by key', async () => {
  const child = (await send('POST', '/api/v1/monitors', httpMonitor())).body.monitor;
  await send('PUT', `/api/v1/monitors/${child.id}/parent`, { parentId: monitorId });
  expect((await send('GET', '/api/v1/monitor-parents')).body).toEqual({
    dependencies: [{ monitorId: child.id, parentId: monitorId }],
    nextCursor: null,
  });
  expect((await sendOther('GET', '/api/v1/monitor-parents')).body.dependencies).toEqual([]);
  const { members } = (await send('GET', '/api/v1/members')).body;
  expect(members).toMatchObject([{ id: person.userId, email: person.email }]);
});
