import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { as, httpMonitor, join, makeKey, type Person, signUp } from '@/tests/support/rest';

let person: Person;
let outsider: Person;
let shop: string;
let till: string;

const call = (method: string, path: string, body?: unknown) => as(person.token)(method, path, body);
const incidents = '/api/v1/incidents';
const edit = (id: string, body: unknown) => call('PATCH', `${incidents}/${id}`, body);
const lines = async (incidentId: string) =>
  (await db.incidentUpdate.findMany({ where: { incidentId, kind: 'changed' }, orderBy: { id: 'asc' } })).map(
    ({ message }) => message,
  );

async function open(body: Record<string, unknown> = {}): Promise<string> {
  return (await call('POST', incidents, { title: 'Late', ...body })).body.incident.id;
}

beforeAll(async () => {
  person = await signUp('Robin');
  outsider = await signUp();
  await db.team.updateMany({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  const make = async (name: string, channelIds: string[]) =>
    (await call('POST', '/api/v1/monitors', httpMonitor({ name, channelIds }))).body.monitor.id;
  const channel = async (name: string) =>
    (
      await call('POST', '/dashboard/notification-channels', {
        type: 'webhook',
        name,
        config: { url: 'http://127.0.0.1:9/' },
      })
    ).body.channel.id;
  const [one, two] = [await channel('One'), await channel('Two')];
  await channel('Neither');
  shop = await make('Shop', [one, two]);
  till = await make('Till', [two]);
});

describe('assignee of an incident', () => {
  it('is the member who acknowledges it, unless there is one', async () => {
    const colleague = await join(person, 'member');
    const id = await open();
    await call('POST', `${incidents}/${id}/acknowledge`);
    expect((await call('GET', `${incidents}/${id}`)).body.incident.assigneeId).toBe(person.userId);
    const other = await open();
    await edit(other, { assigneeId: colleague.userId });
    await call('POST', `${incidents}/${other}/acknowledge`);
    expect((await call('GET', `${incidents}/${other}`)).body.incident.assigneeId).toBe(colleague.userId);
    expect(await lines(other)).toEqual(['Robin assigned the incident to member.']);
  });

  it('stays empty when a script acknowledges', async () => {
    const id = await open();
    const key = await makeKey(person);
    const { body } = await as(key)('POST', `${incidents}/${id}/acknowledge`);
    expect(body.incident).toMatchObject({ status: 'acknowledged', assigneeId: null });
  });

  it('can be taken and removed', async () => {
    const id = await open();
    await edit(id, { assigneeId: person.userId });
    await edit(id, { assigneeId: null });
    expect(await lines(id)).toEqual(['Robin took the incident.', 'Robin removed the assignee.']);
  });

  it.each([['nobody'], [7]])('must be a member: %j', async (assigneeId) => {
    const { body } = await edit(await open(), { assigneeId });
    expect(body.error.issues[0].path).toBe('assigneeId');
  });

  it('rejects a member of another team', async () => {
    expect((await edit(await open(), { assigneeId: outsider.userId })).body.error.issues[0].path).toBe('assigneeId');
  });

  it('is removed with the member, also if both happen at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const colleague = await join(person, 'member');
      const [before, during] = [await open(), await open()];
      await edit(before, { assigneeId: colleague.userId });
      await Promise.all([
        call('DELETE', `/dashboard/team/members/${colleague.userId}`),
        edit(during, { assigneeId: colleague.userId }),
      ]);
      const rows = await db.incident.findMany({ where: { id: { in: [before, during] } } });
      expect(rows.map(({ assigneeId }) => assigneeId)).toEqual([null, null]);
    }
  });
});

describe('several monitors in one incident', () => {
  it('notifies the channels of all of them, each once', async () => {
    const id = await open({ monitorIds: [till, shop] });
    const { body } = await call('GET', `${incidents}/${id}`);
    expect(body.incident).toMatchObject({ monitorId: till, monitorIds: [till, shop] });
    const sent = await db.delivery.findMany({ where: { incidentId: id }, include: { channel: true } });
    expect(sent.map(({ channel }) => channel.name).sort()).toEqual(['One', 'Two']);
    await call('POST', `${incidents}/${id}/resolve`);
    expect(await db.delivery.count({ where: { incidentId: id } })).toBe(4);
  });

  it('can be changed, with a line for each change and no message', async () => {
    const id = await open({ monitorIds: [shop] });
    const count = await db.delivery.count({ where: { incidentId: id } });
    expect((await edit(id, { monitorIds: [till, shop] })).body.incident.monitorIds).toEqual([till, shop]);
    expect((await edit(id, { monitorIds: [] })).body.incident).toMatchObject({ monitorId: null, monitorIds: [] });
    expect(await lines(id)).toEqual(['Robin added Till.', 'Robin removed Shop, Till.']);
    expect(await db.delivery.count({ where: { incidentId: id } })).toBe(count);
  });

  it('keeps the monitor whose checks opened it in first place', async () => {
    const row = await db.incident.create({
      data: {
        id: `x${Date.now()}`,
        teamId: person.teamId,
        monitorId: shop,
        type: 'downtime',
        status: 'open',
        openKey: `${shop}:status`,
        startedAt: new Date(),
      },
    });
    expect((await edit(row.id, { monitorIds: [till, shop] })).body.error.issues[0].path).toBe('monitorIds');
    expect((await edit(row.id, { monitorIds: [shop, till] })).status).toBe(200);
    await db.incident.delete({ where: { id: row.id } });
  });

  it.each([
    ['twice the same', () => [shop, shop]],
    ['unknown', () => ['nothing']],
    ['more than 50', () => Array.from({ length: 51 }, (_, index) => `m${index}`)],
    ['not a list', () => shop],
  ])('rejects monitors that are %s', async (_name, wrong) => {
    const { body } = await call('POST', incidents, { title: 'Late', monitorIds: wrong() });
    expect(body.error.issues[0].path).toMatch(/^monitorIds/);
    expect((await edit(await open(), { monitorIds: wrong() })).body.error.issues[0].path).toMatch(/^monitorIds/);
  });

  it("rejects another team's monitor, and monitorId beside monitorIds", async () => {
    const { body } = await as(outsider.token)('POST', incidents, { title: 'Late', monitorIds: [shop] });
    expect(body.error.issues[0].path).toBe('monitorIds');
    const both = await call('POST', incidents, { title: 'Late', monitorId: shop, monitorIds: [shop] });
    expect(both.body.error.issues[0].path).toBe('monitorId');
  });

  it('keeps the others when one is deleted', async () => {
    const { body } = await call('POST', '/api/v1/monitors', httpMonitor({ name: 'Short-lived' }));
    const id = await open({ monitorIds: [body.monitor.id, till] });
    await call('DELETE', `/api/v1/monitors/${body.monitor.id}`);
    const { incident } = (await call('GET', `${incidents}/${id}`)).body;
    expect(incident).toMatchObject({ monitorId: till, monitorIds: [till], status: 'open' });
  });

  it('is on the status page of each, which never shows a monitor that is not on it', async () => {
    const id = await open({ title: 'Payments', monitorIds: [shop, till] });
    const page = async (slug: string, monitorIds: string[]) => {
      await call('POST', '/dashboard/status-pages', { slug, title: 'Page', monitorIds });
      return JSON.stringify((await readPublicPage(db, slug))?.page.openIncidents);
    };
    const both = await page('both-of-them', [till, shop]);
    expect(both).toContain('"component":"Shop, Till"');
    const one = await page('only-the-till', [till]);
    expect(one).toContain('"component":"Till"');
    expect(one).not.toContain('Shop');
    await call('POST', `${incidents}/${id}/resolve`);
  });
});
