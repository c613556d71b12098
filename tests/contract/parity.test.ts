import { beforeAll, expect, it } from 'vitest';
import { appRouter } from '@/server/api/router';
import type { LiveMessage } from '@/server/live/live-events';
import { db } from '@/server/platform/db';
import { createContext } from '@/server/trpc/context';
import type { ProcedureMeta } from '@/server/trpc/procedures';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

// Most dashboard calls have a REST equivalent. For the others, this shows that a script can read the same data.

let person: Person;
let key: string;
let caller: ReturnType<typeof appRouter.createCaller>;
let monitorId: string;
let pageId: string;

async function call(method: string, path: string, body?: unknown) {
  const token = path.startsWith('/api/v1/') ? key : person.token;
  const answer = await rest(method, path, { token, ...(body !== undefined && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
  caller = appRouter.createCaller(
    await createContext('person', new Headers({ authorization: `Bearer ${person.token}` })),
  );
  const channel = { type: 'webhook', name: 'Ops', config: { url: 'http://127.0.0.1:9/' } };
  await call('POST', '/dashboard/notification-channels', channel);
  const config = { url: 'http://127.0.0.1:9/', confirm: { failures: 1 } };
  monitorId = (await call('POST', '/api/v1/monitors', httpMonitor({ config, tags: ['shop'] }))).monitor.id;
  for (let checks = 0; checks < 2; checks += 1) await call('POST', `/dashboard/monitors/${monitorId}/check`);
  const { incident } = await call('POST', '/api/v1/incidents', { title: 'Over' });
  await call('POST', `/api/v1/incidents/${incident.id}/resolve`);
  const page = { slug: 'northwind', title: 'Northwind', monitorIds: [monitorId] };
  pageId = (await call('POST', '/dashboard/status-pages', page)).statusPage.id;
  await call('POST', '/api/v1/status-page-components', { statusPageId: pageId, name: 'Support phone line' });
});

const nameOf = async (id: string) => (await call('GET', `/api/v1/monitors/${id}`)).monitor.name;

/** How a script reads the data of each procedure without a REST equivalent. */
const otherwise: Record<string, () => Promise<void>> = {
  'incidents.list': async () => {
    const { incidents } = await caller.incidents.list({});
    expect(incidents).toHaveLength(2);
    const { incidents: listed } = await call('GET', '/api/v1/incidents');
    const named = listed.map(async (incident: { monitorId: string | null }) => ({
      ...incident,
      monitorName: incident.monitorId && (await nameOf(incident.monitorId)),
      assigneeName: null,
    }));
    expect(await Promise.all(named)).toEqual(incidents);
  },
  'incidents.unresolvedCount': async () => {
    const { incidents } = await call('GET', '/api/v1/incidents?status=unresolved');
    expect(incidents).toHaveLength(1);
    expect(await caller.incidents.unresolvedCount()).toBe(incidents.length);
  },
  'monitors.order': async () => {
    const { groups, isComplete } = await caller.monitors.order({});
    const { rows } = await call('GET', '/api/v1/overview');
    expect(groups).toEqual([{ key: null, name: null, ids: rows.map(({ id }: { id: string }) => id) }]);
    expect(isComplete).toBe(true);
  },
  'monitors.rows': async () => {
    const { rows } = await caller.monitors.rows({ ids: [monitorId] });
    const overview = await call('GET', '/api/v1/overview');
    expect(rows).toHaveLength(1);
    expect(rows).toEqual(overview.rows);
  },
  'monitors.find': async () => {
    const { monitors } = await caller.monitors.find({ search: 'sho' });
    const { rows } = await call('GET', '/api/v1/overview?search=sho');
    expect(monitors).toHaveLength(1);
    expect(rows).toMatchObject(monitors);
  },
  'statusPages.editor': async () => {
    const { logo, monitors, components, statusPage } = await caller.statusPages.editor({ id: pageId });
    expect((await call('GET', `/dashboard/status-pages/${pageId}`)).statusPage).toEqual(statusPage);
    expect([logo, statusPage.logoUrl]).toEqual([null, null]);
    const read = statusPage.monitorIds.map(async (id) => {
      const { name, status, type } = (await call('GET', `/api/v1/monitors/${id}`)).monitor;
      return { id, name, status, type };
    });
    expect(monitors).toMatchObject(await Promise.all(read));
    const listed = await call('GET', `/api/v1/status-page-components?statusPageId=${pageId}`);
    expect(listed.components).toEqual(components);
    expect(components).toHaveLength(1);
  },
  'statusPages.isSlugFree': async () => {
    for (const slug of ['northwind', 'southwind']) {
      const { free } = await caller.statusPages.isSlugFree({ slug });
      const body = { slug, title: 'Another' };
      const { status } = await rest('POST', '/dashboard/status-pages', { token: person.token, body });
      expect([slug, status]).toEqual([slug, free ? 201 : 409]);
    }
  },
  'live.events': async () => {
    const stream = (await caller.live.events()) as AsyncIterable<LiveMessage>;
    const received: LiveMessage[] = [];
    for await (const message of stream) {
      received.push(message);
      if (message.kind === 'hello') await call('POST', '/api/v1/incidents', { title: 'Told' });
      if (message.kind === 'incident') break;
    }
    const { ids = [] } = received.at(-1) as { ids?: string[] };
    // The channel's webhook sends the same to a script.
    const deliveries = await db.delivery.findMany({ where: { incidentId: { in: ids } } });
    expect(deliveries.map(({ event }) => event)).toEqual(['incident.opened']);
  },
};

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { meta?: ProcedureMeta } }>,
);

it('lists every procedure without a REST address', () => {
  const without = procedures.filter(([, { _def }]) => !_def.meta?.openapi).map(([name]) => name);
  expect(Object.keys(otherwise).sort()).toEqual(without.sort());
});

it.each(Object.entries(otherwise))('returns the same to a script as to the dashboard: %s', async (_name, compare) => {
  await compare();
});
