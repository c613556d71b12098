import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { as, httpMonitor, type Person, signUp } from '@/tests/support/rest';
import { makePage } from '../status-pages/support';

let person: Person;
let outsider: Person;
let phone: string;
let bank: string;
let pageId: string;

const call = (method: string, path: string, body?: unknown) => as(person.token)(method, path, body);
const incidents = '/api/v1/incidents';
const open = (body: Record<string, unknown> = {}) => call('POST', incidents, { title: 'Calls drop', ...body });
const edit = (id: string, body: unknown) => call('PATCH', `${incidents}/${id}`, body);
const components = '/api/v1/status-page-components';

beforeAll(async () => {
  [person, outsider] = [await signUp('Robin'), await signUp()];
  const channel = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/' } };
  await call('POST', '/dashboard/notification-channels', channel);
  pageId = (await makePage(person, { title: 'Northwind' })).id;
  const make = async (name: string) =>
    (await call('POST', components, { statusPageId: pageId, name })).body.component.id;
  [phone, bank] = [await make('Support phone line'), await make('Payments provider')];
});

describe('an incident that names components', () => {
  it('is created with them, by name and page, and notifies all channels of the team with their names', async () => {
    const { status, body } = await open({ componentIds: [phone, bank] });
    expect(status).toBe(201);
    const named = { statusPageId: pageId, statusPageTitle: 'Northwind' };
    const shown = [
      { id: phone, name: 'Support phone line', ...named },
      { id: bank, name: 'Payments provider', ...named },
    ];
    const { incident } = body;
    expect(incident).toMatchObject({ monitorIds: [], components: shown });
    expect((await call('GET', `${incidents}/${incident.id}`)).body.incident.components).toEqual(shown);
    expect((await call('GET', `${incidents}/${incident.id}/detail`)).body.incident.components).toEqual(shown);
    const deliveries = await db.delivery.findMany({ where: { incidentId: incident.id } });
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]?.payload).toMatchObject({ data: { incident: { components: shown } } });
    const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: incident.id } });
    expect(entry.after).toMatchObject({ components: [{ name: 'Support phone line' }, { name: 'Payments provider' }] });
  });

  it('can get others, with a line for each change and no message', async () => {
    const { id } = (await open({ componentIds: [phone] })).body.incident;
    const sent = await db.delivery.count({ where: { incidentId: id } });
    const { body } = await edit(id, { componentIds: [bank] });
    expect(body.incident.components).toMatchObject([{ id: bank }]);
    await edit(id, { componentIds: [bank] });
    await edit(id, { componentIds: [phone, bank] });
    await edit(id, { componentIds: [bank, phone] });
    await edit(id, { componentIds: [] });
    const lines = await db.incidentUpdate.findMany({ where: { incidentId: id, kind: 'changed' } });
    expect(lines.map(({ message }) => message)).toEqual([
      'Robin added the component Payments provider.',
      'Robin removed the component Support phone line.',
      'Robin added the component Support phone line.',
      'Robin removed the components Support phone line, Payments provider.',
    ]);
    expect(await db.delivery.count({ where: { incidentId: id } })).toBe(sent);
    await call('POST', `${incidents}/${id}/resolve`);
    expect((await edit(id, { componentIds: [phone] })).body.incident.components).toHaveLength(1);
  });

  it('cannot name components of another team', async () => {
    const { id } = (await as(outsider.token)('POST', incidents, { title: 'Theirs' })).body.incident;
    for (const [method, path, title] of [
      ['POST', incidents, { title: 'Theirs' }],
      ['PATCH', `${incidents}/${id}`, {}],
    ] as const) {
      const { status, body } = await as(outsider.token)(method, path, { ...title, componentIds: [phone] });
      expect([status, body.error.issues]).toEqual([
        400,
        [{ path: 'componentIds', message: 'There is no such component in this team.' }],
      ]);
    }
  });

  it.each([
    ['an unknown one', ['nothing']],
    ['one twice', ['x', 'x']],
    ['more than 50', Array.from({ length: 51 }, (_, index) => `${index}`)],
    ['no list', 'nothing'],
  ])('cannot name %s', async (_name, componentIds) => {
    const { status, body } = await open({ componentIds });
    expect([status, body.error.issues[0].path]).toEqual([400, 'componentIds']);
  });

  it('must be of type manual', async () => {
    const refused = await open({ type: 'downtime', componentIds: [phone] });
    expect(refused.body.error.issues[0]).toEqual({
      path: 'componentIds',
      message: 'Only an incident of type manual can name components.',
    });
    const monitorId = (await call('POST', '/api/v1/monitors', httpMonitor())).body.monitor.id;
    const { id } = await db.incident.create({
      data: {
        id: `x${Date.now()}`,
        teamId: person.teamId,
        monitorId,
        type: 'downtime',
        status: 'open',
        openKey: `${monitorId}:status`,
        startedAt: new Date(),
      },
    });
    expect((await edit(id, { componentIds: [phone] })).body.error.issues[0].path).toBe('componentIds');
    expect((await edit(id, { componentIds: [] })).status).toBe(200);
  });

  it('is found by them in list, counts and search', async () => {
    const { id } = (await open({ title: 'Unrelated words', componentIds: [bank] })).body.incident;
    const listed = async (query: string) =>
      (await call('GET', `${incidents}?${query}`)).body.incidents.map((each: { id: string }) => each.id);
    expect(await listed(`componentId=${bank}`)).toContain(id);
    expect(await listed('componentId=nothing')).toEqual([]);
    expect(await listed('q=PAYMENTS%20prov')).toContain(id);
    const counted = (await call('GET', `/api/v1/incident-counts?componentId=${bank}`)).body;
    expect(counted.open).toBe((await listed(`componentId=${bank}&status=open`)).length);
    expect((await as(outsider.token)('GET', `${incidents}?componentId=${bank}`)).body.incidents).toEqual([]);
  });
});
