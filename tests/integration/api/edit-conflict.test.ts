import { beforeAll, describe, expect, it } from 'vitest';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Every object with an edit form or update operation: where it is created, its key in the response, and an edit. */
const things = {
  monitor: { path: '/dashboard/monitors', key: 'monitor', field: 'name', body: () => httpMonitor() },
  channel: {
    path: '/dashboard/notification-channels',
    key: 'channel',
    field: 'name',
    body: () => ({ type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/hook' } }),
  },
  'status page': {
    path: '/dashboard/status-pages',
    key: 'statusPage',
    field: 'title',
    body: () => ({ slug: `page-${crypto.randomUUID().slice(0, 8)}`, title: 'Northwind' }),
  },
  'maintenance window': {
    path: '/api/v1/maintenance-windows',
    key: 'maintenanceWindow',
    field: 'title',
    body: () => ({ title: 'Work', startsAt: soon(10), endsAt: soon(60), monitorIds: null }),
  },
};

let person: Person;
beforeAll(async () => {
  person = await signUp();
});

describe.each(Object.entries(things))('updating a %s with a version', (_name, { path, key, field, body }) => {
  const create = async () => (await rest('POST', path, { token: person.token, body: body() })).body[key];
  const update = (id: string, change: object) => rest('PUT', `${path}/${id}`, { token: person.token, body: change });

  it('rejects an outdated version with the author of the last change, and changes nothing', async () => {
    const { id, updatedAt: ifUpdatedAt } = await create();
    expect((await update(id, { [field]: 'First', ifUpdatedAt })).status).toBe(200);
    const { status, body: answer } = await update(id, { [field]: 'Second', ifUpdatedAt });
    expect([status, answer]).toEqual([
      409,
      {
        error: {
          code: 'EDIT_CONFLICT',
          message: `${person.email} changed this since you loaded it.`,
          status: 409,
        },
      },
    ]);
    const { body: found } = await rest('GET', `${path}/${id}`, { token: person.token });
    expect(found[key][field]).toBe('First');
  });

  it('accepts the current version or none', async () => {
    const { id, updatedAt: ifUpdatedAt } = await create();
    const first = await update(id, { [field]: 'First', ifUpdatedAt });
    const second = await update(id, { [field]: 'Second', ifUpdatedAt: first.body[key].updatedAt });
    const third = await update(id, { [field]: 'Third' });
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    const times = [ifUpdatedAt, first.body[key].updatedAt, second.body[key].updatedAt, third.body[key].updatedAt];
    expect(new Set(times).size).toBe(4);
  });

  it('accepts one of ten concurrent updates of the same version', async () => {
    const { id, updatedAt: ifUpdatedAt } = await create();
    const edits = Array.from({ length: 10 }, (_each, index) => update(id, { [field]: `Edit ${index}`, ifUpdatedAt }));
    const statuses = (await Promise.all(edits)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(409)]);
  });

  it('records no change for a version alone', async () => {
    const { id, updatedAt: ifUpdatedAt } = await create();
    const { status, body: answer } = await update(id, { ifUpdatedAt });
    // An update of a status page needs no field; the others do.
    if (path.endsWith('/status-pages')) expect([status, answer.statusPage.updatedAt]).toEqual([200, ifUpdatedAt]);
    else expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
