import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settleDependencies } from '@/server/incidents/dependencies/settle-dependencies';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

let target: HttpReceiver;
let person: Person;
/** The paths that fail. */
const failing = new Set<string>();

beforeAll(async () => {
  target = await startHttpReceiver();
  target.respond(({ path }) => ({ status: failing.has(path) ? 503 : 200 }));
});
beforeEach(async () => {
  failing.clear();
  person = await signUp('Robin');
  await call('POST', '/dashboard/notification-channels', {
    type: 'webhook',
    name: 'Hook',
    config: { url: `${target.url}/hook` },
  });
});
afterAll(() => target.close());

const call = (method: string, path: string, body?: unknown, token = person.token) =>
  rest(method, path, { token, ...(body !== undefined && { body }) });

interface Made {
  id: string;
  /** Checks it once, while it fails or not. */
  check: (isFailing: boolean) => Promise<void>;
}

async function makeMonitor(name: string, parent?: Made, failures = 1): Promise<Made> {
  const path = `/${name}-${crypto.randomUUID()}`;
  const config = { url: `${target.url}${path}`, confirm: { failures, recoveries: 1, retryDelayMs: 100 } };
  const { body } = await call('POST', '/api/v1/monitors', httpMonitor({ name, config }));
  const { id } = body.monitor;
  if (parent) expect((await setParent(id, parent.id)).status).toBe(200);
  return {
    id,
    async check(isFailing) {
      if (isFailing) failing.add(path);
      else failing.delete(path);
      const { status } = await call('POST', `/dashboard/monitors/${id}/check`);
      expect(status).toBe(200);
    },
  };
}

const setParent = (id: string, parentId: string | null, token?: string) =>
  call('PUT', `/api/v1/monitors/${id}/parent`, { parentId }, token);

const incidentOf = ({ id }: Made) =>
  db.incident.findFirstOrThrow({ where: { monitorId: id }, orderBy: { createdAt: 'desc' } });

/** The events that were sent to channels, oldest first. */
async function sentEvents({ id }: Made): Promise<string[]> {
  const incident = await incidentOf({ id, check: async () => undefined });
  const rows = await db.delivery.findMany({ where: { incidentId: incident.id }, orderBy: { id: 'asc' } });
  return rows.map(({ event }) => event);
}

const settle = () => Promise.all([runJob(settleDependencies, {}), runJob(settleDependencies, {})]);

describe('a monitor whose parent is down', () => {
  it('has its incident below that of the parent, and notifies nobody', async () => {
    const router = await makeMonitor('router');
    const shop = await makeMonitor('shop', router);
    await router.check(true);
    await shop.check(true);
    const [above, below] = [await incidentOf(router), await incidentOf(shop)];
    expect(below.parentIncidentId).toBe(above.id);
    const { body } = await call('GET', `/api/v1/incidents/${below.id}`);
    expect(body.incident.parentIncidentId).toBe(above.id);
    expect([await sentEvents(router), await sentEvents(shop)]).toEqual([['incident.opened'], []]);
    await settle();
    await shop.check(false);
    expect((await incidentOf(shop)).status).toBe('resolved');
    expect(await sentEvents(shop)).toEqual([]);
  });

  it('is below the nearest one that is down, over several levels', async () => {
    const router = await makeMonitor('router');
    const proxy = await makeMonitor('proxy', router);
    const shop = await makeMonitor('shop', proxy);
    await router.check(true);
    await shop.check(true);
    expect((await incidentOf(shop)).parentIncidentId).toBe((await incidentOf(router)).id);
    expect(await sentEvents(shop)).toEqual([]);
  });

  it('notifies with its true start if it still fails after the parent has recovered', async () => {
    const router = await makeMonitor('router');
    const shop = await makeMonitor('shop', router);
    await router.check(true);
    await shop.check(true);
    const { id, startedAt } = await incidentOf(shop);
    await router.check(false);
    await settle();
    // It may be recovering too: its last check was before.
    expect(await sentEvents(shop)).toEqual([]);
    await shop.check(true);
    await settle();
    await settle();
    expect(await sentEvents(shop)).toEqual(['incident.opened']);
    expect(await incidentOf(shop)).toMatchObject({ id, startedAt, parentIncidentId: null });
    await shop.check(false);
    expect(await sentEvents(shop)).toEqual(['incident.opened', 'incident.resolved']);
  });

  it('notifies after five minutes, even if it is not checked', async () => {
    const router = await makeMonitor('router');
    const shop = await makeMonitor('shop', router);
    await router.check(true);
    await shop.check(true);
    await router.check(false);
    const { id } = await incidentOf(router);
    await db.$executeRaw`update incidents set resolved_at = now() - interval '301 s' where id = ${id}`;
    await settle();
    expect(await sentEvents(shop)).toEqual(['incident.opened']);
  });

  it('is below the next incident of the parent, and notifies nobody in between', async () => {
    const router = await makeMonitor('router');
    const shop = await makeMonitor('shop', router);
    await router.check(true);
    await shop.check(true);
    await router.check(false);
    await router.check(true);
    await settle();
    expect((await incidentOf(shop)).parentIncidentId).toBe((await incidentOf(router)).id);
    expect(await sentEvents(shop)).toEqual([]);
  });
});

describe('a monitor whose parent is up', () => {
  it('notifies at once', async () => {
    const shop = await makeMonitor('shop', await makeMonitor('router'));
    await shop.check(true);
    expect(await sentEvents(shop)).toEqual(['incident.opened']);
  });

  it('is held while the parent is being confirmed down, and is below it then', async () => {
    const router = await makeMonitor('router', undefined, 2);
    const shop = await makeMonitor('shop', router);
    await router.check(true);
    await shop.check(true);
    expect(await sentEvents(shop)).toEqual([]);
    // Checks count together from the retry delay on.
    const isDown = async () => {
      await router.check(true);
      return (await db.incident.count({ where: { monitorId: router.id } })) === 1;
    };
    await until(isDown);
    await db.$executeRaw`update incidents set held_until = now() where monitor_id = ${shop.id}`;
    await settle();
    expect((await incidentOf(shop)).parentIncidentId).toBe((await incidentOf(router)).id);
    expect(await sentEvents(shop)).toEqual([]);
  });

  it('holds its alert and checks the parent at once if the parent was not checked since, and is below it then', async () => {
    const router = await makeMonitor('router');
    const shop = await makeMonitor('shop', router);
    await router.check(false);
    await db.$executeRaw`update monitor_states set due_at = now() + interval '50 s' where monitor_id = ${router.id}`;
    await shop.check(true);
    expect(await sentEvents(shop)).toEqual([]);
    const { dueAt } = await db.monitorState.findFirstOrThrow({ where: { monitorId: router.id, region: '' } });
    expect(dueAt?.getTime()).toBeLessThan(Date.now() + 5_000);
    await router.check(true);
    await db.$executeRaw`update incidents set held_until = now() where monitor_id = ${shop.id}`;
    await settle();
    expect((await incidentOf(shop)).parentIncidentId).toBe((await incidentOf(router)).id);
    expect(await sentEvents(shop)).toEqual([]);
  });

  it('notifies when the hold ends and the parent is not down', async () => {
    const router = await makeMonitor('router', undefined, 3);
    const shop = await makeMonitor('shop', router);
    await router.check(true);
    await shop.check(true);
    await settle();
    expect(await sentEvents(shop)).toEqual([]);
    await db.$executeRaw`update incidents set held_until = now() where monitor_id = ${shop.id}`;
    await settle();
    expect(await sentEvents(shop)).toEqual(['incident.opened']);
  });

  it('is below it or notifies, never both, if both fail at the same moment', async () => {
    const router = await makeMonitor('router');
    const shops = await Promise.all(Array.from({ length: 4 }, (_, index) => makeMonitor(`shop-${index}`, router)));
    await Promise.all([router, ...shops].map((each) => each.check(true)));
    await db.$executeRaw`update incidents set held_until = now() where team_id = ${person.teamId} and held_until is not null`;
    await settle();
    for (const shop of shops) {
      const { parentIncidentId } = await incidentOf(shop);
      expect((await sentEvents(shop)).length).toBe(parentIncidentId === null ? 1 : 0);
    }
  });
});

describe('many incidents whose parent is resolved', () => {
  it('are notified of in transactions of at most 1,500 deliveries', async () => {
    const { teamId } = person;
    const at = new Date(Date.now() - 600_000);
    const incident = { teamId, type: 'downtime' as const, severity: 'critical' as const, startedAt: at, createdAt: at };
    const hook = { teamId, type: 'webhook' as const, config: { url: `${target.url}/hook` } };
    await db.channel.createMany({
      data: Array.from({ length: 99 }, (_, index) => ({ ...hook, id: newId(), name: `Hook ${index}` })),
    });
    const parentIncidentId = newId();
    await db.incident.create({ data: { ...incident, id: parentIncidentId, status: 'resolved', resolvedAt: at } });
    const ids = Array.from({ length: 40 }, () => newId());
    await db.incident.createMany({
      data: ids.map((id) => ({ ...incident, id, status: 'open' as const, openKey: `by-hand:${id}`, parentIncidentId })),
    });
    await settle();
    const written = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from deliveries where incident_id = any(${ids}::text[]) group by xmin::text`;
    expect(written.reduce((sum, { count }) => sum + count, 0)).toBe(4_000);
    expect(Math.max(...written.map(({ count }) => count))).toBeLessThanOrEqual(1_500);
  });
});

describe('the incidents below one', () => {
  it('counts dependent incidents in the list, lists them in the detail and selects them by a filter', async () => {
    const router = await makeMonitor('router');
    const shops = [await makeMonitor('shop-0', router), await makeMonitor('shop-1', router)] as const;
    for (const each of [router, ...shops]) await each.check(true);
    await shops[0].check(false);
    const [above, resolved, open] = await Promise.all([router, ...shops].map(incidentOf));
    const { body: list } = await call('GET', '/api/v1/incidents');
    const countOf = (id?: string) =>
      list.incidents.find((each: { id: string }) => each.id === id).dependentIncidentCount;
    expect([above, resolved, open].map((each) => countOf(each?.id))).toEqual([2, 0, 0]);
    const { body: detail } = await call('GET', `/api/v1/incidents/${above?.id}/detail`);
    expect(detail.dependentIncidents.counts).toEqual({ open: 1, acknowledged: 0, resolved: 1 });
    expect(detail.dependentIncidents.incidents).toMatchObject([
      { id: open?.id, status: 'open', monitorName: 'shop-1' },
      { id: resolved?.id, status: 'resolved', monitorName: 'shop-0' },
    ]);
    const { body: below } = await call('GET', `/api/v1/incidents?parentIncidentId=${above?.id}`);
    expect(below.incidents.map(({ id }: { id: string }) => id)).toEqual([open?.id, resolved?.id]);
    const { body: counts } = await call('GET', `/api/v1/incident-counts?parentIncidentId=${above?.id}`);
    expect(counts).toEqual({ open: 1, acknowledged: 0, resolved: 1 });
    const outsider = await signUp();
    const strange = await call('GET', `/api/v1/incidents?parentIncidentId=${above?.id}`, undefined, outsider.token);
    expect(strange.body.incidents).toEqual([]);
  });

  it('shows at most 20 dependent incidents in the detail, with the number of all', async () => {
    const { body } = await call('POST', '/api/v1/incidents', { title: 'Power failure' });
    const { teamId, startedAt } = body.incident;
    await db.incident.createMany({
      data: Array.from({ length: 25 }, (_, index) => ({
        id: `${body.incident.id}-${index}`,
        teamId,
        startedAt,
        parentIncidentId: body.incident.id,
        type: 'manual' as const,
        status: 'open' as const,
        title: `Rack ${index}`,
      })),
    });
    const { dependentIncidents } = (await call('GET', `/api/v1/incidents/${body.incident.id}/detail`)).body;
    expect(dependentIncidents.counts.open).toBe(25);
    expect(dependentIncidents.incidents).toHaveLength(20);
  });
});

describe('setting a parent', () => {
  it('returns it with its name, and removes it', async () => {
    const [router, shop] = [await makeMonitor('router'), await makeMonitor('shop')];
    const { body } = await setParent(shop.id, router.id);
    expect(body.dependency).toEqual({ parentId: router.id, parentName: 'router' });
    expect((await setParent(shop.id, null)).body.dependency).toEqual({ parentId: null, parentName: null });
  });

  it('refuses a cycle, also of two changes at once', async () => {
    const [a, b] = [await makeMonitor('a'), await makeMonitor('b')];
    expect((await setParent(a.id, a.id)).status).toBe(400);
    const statuses = (await Promise.all([setParent(a.id, b.id), setParent(b.id, a.id)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
  });

  it('refuses more than five levels', async () => {
    let last = await makeMonitor('0');
    for (let level = 1; level <= 5; level += 1) last = await makeMonitor(`${level}`, last);
    const next = await makeMonitor('6');
    expect((await setParent(next.id, last.id)).status).toBe(400);
  });

  it("refuses another team's monitor, and viewers", async () => {
    const shop = await makeMonitor('shop');
    const outsider = await signUp();
    const { body } = await call('POST', '/api/v1/monitors', httpMonitor(), outsider.token);
    expect((await setParent(shop.id, body.monitor.id)).status).toBe(400);
    expect((await setParent(shop.id, null, outsider.token)).status).toBe(404);
  });
});
