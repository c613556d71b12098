import { Statuspage } from 'statuspage.io';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { ownState } from '@/tests/support/own-state';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { startStatusServer } from '@/tests/support/servers/status-server';
import { makeMonitor, makePage } from './support';

let base: string;
let close: () => Promise<void>;
let person: Person;
let slug: string;
let client: Statuspage['api'];

beforeAll(async () => {
  ({ url: base, close } = await startStatusServer());
  person = await signUp();
  const shop = await makeMonitor(person, { name: 'Shop' });
  const search = await makeMonitor(person, { name: 'Search' });
  await db.monitorState.update({ where: ownState(search), data: { status: 'up', lastCheckedAt: new Date() } });
  await db.monitorState.update({ where: ownState(shop), data: { status: 'down', lastCheckedAt: new Date() } });
  ({ slug } = await makePage(person, { monitorIds: [shop, search] }));
  const { token } = person;
  const open = { title: 'Orders are late', monitorId: shop };
  const [over, still] = [await rest('POST', '/api/v1/incidents', { token, body: { ...open, title: 'Over' } }), open];
  await rest('POST', `/api/v1/incidents/${over.body.incident.id}/resolve`, { token });
  const { incident } = (await rest('POST', '/api/v1/incidents', { token, body: still })).body;
  const note = { message: 'We found the cause.', isPublic: true };
  await rest('POST', `/api/v1/incidents/${incident.id}/updates`, { token, body: note });
  const hour = 3_600_000;
  const at = (hours: number) => new Date(Date.now() + hours * hour);
  for (const [title, from, to] of [
    ['Moved', -48, -47],
    ['Moving', -1, 1],
    ['To move', 47, 48],
  ] as const) {
    await db.maintenanceWindow.create({
      data: {
        id: newId(),
        teamId: person.teamId,
        title,
        startsAt: at(from),
        endsAt: at(to),
        monitors: { create: { monitorId: shop } },
      },
    });
  }
  const statuspage = new Statuspage('northwind');
  statuspage.setApiUrl(`${base}/status/${slug}`);
  client = statuspage.api;
});
afterAll(() => close());

const get = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${base}/status/${path}`, init);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
};
const names = (things: { name: string }[]) => things.map(({ name }) => name);

describe('statuspage.io client', () => {
  it('reads the status', async () => {
    const { page, status } = await client.getStatus();
    expect(status).toEqual({ indicator: 'major', description: 'Partial System Outage' });
    expect(page).toMatchObject({ name: 'Northwind', time_zone: 'Etc/UTC' });
  });

  it('reads the components', async () => {
    const { components } = await client.getComponents();
    expect(components).toMatchObject([
      { name: 'Shop', status: 'major_outage', position: 1, group: false },
      { name: 'Search', status: 'operational', position: 2, group: false },
    ]);
  });

  it('reads the summary', async () => {
    const summary = await client.getSummary();
    expect(names(summary.components)).toEqual(['Shop', 'Search']);
    expect(names(summary.incidents)).toEqual(['Orders are late']);
    expect(names(summary.scheduled_maintenances)).toEqual(['To move', 'Moving']);
    expect(summary.status.indicator).toBe('major');
  });

  it('reads incidents, and those that are not resolved', async () => {
    const { incidents } = await client.incidents.getAll();
    expect(names(incidents)).toEqual(['Orders are late', 'Over']);
    expect(incidents.map(({ status }) => status)).toEqual(['investigating', 'resolved']);
    const unresolved = await client.incidents.getUnresolved();
    expect(names(unresolved.incidents)).toEqual(['Orders are late']);
    expect(unresolved.incidents[0]?.incident_updates.map(({ body }) => body)).toContain('We found the cause.');
  });

  it('reads maintenance windows', async () => {
    // The client requests upcoming maintenances, whichever of the three is called.
    const { scheduledMaintenances: calls } = client;
    for (const answer of [await calls.getAll(), await calls.getActive(), await calls.getUpcoming()]) {
      expect(names(answer.scheduled_maintenances)).toEqual(['To move']);
    }
    const all = (await get(`${slug}/api/v2/scheduled-maintenances.json`)).body.scheduled_maintenances;
    expect(names(all)).toEqual(['To move', 'Moving', 'Moved']);
    const active = (await get(`${slug}/api/v2/scheduled-maintenances/active.json`)).body.scheduled_maintenances;
    expect(names(active)).toEqual(['Moving']);
    expect(active[0].components).toMatchObject([{ name: 'Shop' }]);
  });

  it('states that subscriptions are not supported', async () => {
    const email = 'robin@example.test';
    const { subscribers } = client;
    const refusals = [
      [404, subscribers.createPageSubscription({ email })],
      [404, subscribers.createComponentSubscription({ email, component_id: 'x' })],
      [404, subscribers.createIncidentSubscription({ email, incident_id: 'x' })],
      [404, subscribers.getSubscription('x')],
      // The client sends this request to the incidents' path.
      [405, subscribers.removeSubscription('x')],
    ] as const;
    for (const [status, refusal] of refusals) {
      const error = await refusal.catch((thrown) => thrown);
      expect(error.response.data).toEqual({
        error: { code: status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED', message: expect.any(String), status },
      });
    }
  });
});

describe('Statuspage API addresses', () => {
  it.each(['api', 'api/v2', 'api/v2/', 'api/v2/nothing.json', 'api/v1/summary.json', 'api/v2/summary.json/more'])(
    'answers %s with the error envelope',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, headers, body } = await get(`${slug}/${path}`, { method });
        expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
      }
    },
  );

  it.each(['summary.json', 'status.json', 'incidents/unresolved.json'])(
    'answers %s of an unknown page with the error envelope',
    async (path) => {
      expect(await get(`nobody-here/api/v2/${path}`)).toMatchObject({ status: 404, body: { error: { status: 404 } } });
    },
  );

  it('allows scripts of other origins, and revalidates unchanged responses', async () => {
    const first = await get(`${slug}/api/v2/incidents.json`);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect(await get(`${slug}/api/v2/incidents.json`, { headers })).toMatchObject({ status: 304, body: null });
    const options = await get(`${slug}/api/v2/incidents.json`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const post = await get(`${slug}/api/v2/incidents.json`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
