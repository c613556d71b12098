import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import type { BulkResult } from '@/server/lists/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { lockIncident } from '@/server/platform/locks';
import { ownState } from '@/tests/support/own-state';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { call, httpMonitor, join, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let target: HttpReceiver;
let person: Person;
let outsider: Person;

beforeAll(async () => {
  target = await startHttpReceiver();
  person = await signUp('Robin');
  outsider = await signUp();
  await db.team.updateMany({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  const body = { type: 'webhook', name: 'Hook', config: { url: `${target.url}/hook` } };
  await rest('POST', '/dashboard/notification-channels', { token: person.token, body });
});
beforeEach(() => target.respond(() => ({ status: 503 })));
afterAll(() => target.close());

async function makeIncidents(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    ids.push((await call(person, 'POST', '/api/v1/incidents', { title: `Manual ${made}` })).incident.id);
  }
  return ids;
}

const bulk = async (action: string, ids: string[], token = person.token): Promise<BulkResult[]> =>
  (await call({ token }, 'POST', '/api/v1/incidents/bulk', { action, ids })).results;
const outcomes = (results: BulkResult[]) => results.map(({ outcome, error }) => error?.code ?? outcome);
const eventsOf = async (incidentId: string) =>
  (await db.delivery.findMany({ where: { incidentId }, orderBy: { id: 'asc' } })).map(({ event }) => event);

describe('bulk acknowledgment', () => {
  it('acknowledges each open incident in the name of the caller, with timeline, audit entry and message', async () => {
    const ids = await makeIncidents(3);
    expect(outcomes(await bulk('acknowledge', ids))).toEqual(['done', 'done', 'done']);
    for (const id of ids) {
      const row = await db.incident.findUniqueOrThrow({
        where: { id },
        include: { updates: { orderBy: { at: 'asc' } } },
      });
      expect(row).toMatchObject({ status: 'acknowledged', assigneeId: person.userId });
      expect(row.updates.at(-1)).toMatchObject({ message: 'Robin acknowledged the incident.', authorName: 'Robin' });
      expect(await eventsOf(id)).toEqual(['incident.opened', 'incident.acknowledged']);
      const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: id, action: 'incident.acknowledge' } });
      expect(entry).toMatchObject({ before: { status: 'open' }, after: { status: 'acknowledged' } });
    }
  });

  it('changes those that can be changed, and gives the reason for each other one', async () => {
    const [open = '', acknowledged = '', resolved = ''] = await makeIncidents(3);
    await call(person, 'POST', `/api/v1/incidents/${acknowledged}/acknowledge`);
    await call(person, 'POST', `/api/v1/incidents/${resolved}/resolve`);
    const foreign = (await call(outsider, 'POST', '/api/v1/incidents', { title: 'Theirs' })).incident.id;
    const gone = newId();
    const results = await bulk('acknowledge', [resolved, gone, foreign, acknowledged, open]);
    expect(outcomes(results)).toEqual(['VALIDATION_ERROR', 'NOT_FOUND', 'NOT_FOUND', 'unchanged', 'done']);
    expect(results.map(({ id }) => id)).toEqual([resolved, gone, foreign, acknowledged, open]);
    expect(results[0]?.error?.message).toBe('The incident is already resolved.');
    expect(await eventsOf(acknowledged)).toEqual(['incident.opened', 'incident.acknowledged']);
    expect(await db.incident.findUniqueOrThrow({ where: { id: foreign } })).toMatchObject({ status: 'open' });
  });

  it('writes at most 1,500 deliveries in one transaction', async () => {
    const crowded = await signUp();
    const { teamId, token } = crowded;
    const config = { url: target.url };
    await db.channel.createMany({
      data: Array.from({ length: 100 }, (_, index) => {
        return { id: newId(), teamId, type: 'webhook' as const, name: `Hook ${index}`, config };
      }),
    });
    const ids = Array.from({ length: 40 }, newId);
    await db.incident.createMany({
      data: ids.map((id) => {
        return { id, teamId, type: 'manual', status: 'open', openKey: `by-hand:${id}`, startedAt: new Date() };
      }),
    });
    expect(new Set(outcomes(await bulk('acknowledge', ids, token)))).toEqual(new Set(['done']));
    const counts = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int from deliveries where team_id = ${teamId} group by xmin order by 1`;
    expect(counts.map(({ count }) => count)).toEqual([1_000, 1_500, 1_500]);
  });

  it('acknowledges incidents while checks resolve them in another order', async () => {
    const { teamId } = person;
    const ids = Array.from({ length: 9 }, newId);
    await db.incident.createMany({
      data: ids.map((id) => {
        return { id, teamId, type: 'downtime', status: 'open', openKey: `${id}:status`, startedAt: new Date() };
      }),
    });
    const items = ids.toReversed().map((monitorId) => ({
      monitorId,
      subject: 'status' as const,
      resolvedAt: new Date(),
      message: 'Recovered.',
      resolution: 'recovered' as const,
    }));
    const waiting = async () =>
      (
        await db.$queryRaw<object[]>`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database() and query like '%incidents%'`
      ).length;
    let both: Promise<unknown> | undefined;
    await db.$transaction(async (tx) => {
      // Each of the two gets as far as the incident in the middle.
      await lockIncident(tx, teamId, ids[4] ?? '');
      const resolving = db.$transaction(async (other) => {
        // The plan of a large table.
        await other.$executeRaw`select set_config(name, 'off', true)
          from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`;
        await resolveIncidents(other, items);
      });
      both = Promise.all([bulk('acknowledge', ids), resolving]);
      await until(async () => (await waiting()) === 2);
    });
    await both;
    expect(await db.incident.count({ where: { id: { in: ids }, status: 'resolved' } })).toBe(ids.length);
  });

  it('stops the escalations of all', async () => {
    const monitor = await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config: { url: target.url } }));
    const target1 = { targets: [{ type: 'user', id: person.userId }], waitMinutes: 5 };
    const policy = { name: 'Payments', steps: [target1], monitorIds: [monitor.monitor.id] };
    await call(person, 'POST', '/api/v1/escalation-policies', policy);
    const ids: string[] = [];
    for (const title of ['One', 'Two']) {
      ids.push((await call(person, 'POST', '/api/v1/incidents', { title, monitorId: monitor.monitor.id })).incident.id);
    }
    const states = async () =>
      (await db.escalation.findMany({ where: { incidentId: { in: ids } } })).map((row) => row.status);
    expect(await states()).toEqual(['running', 'running']);
    await bulk('acknowledge', ids);
    expect(await states()).toEqual(['stopped', 'stopped']);
  });

  it('acknowledges each incident once if several people do it at the same time', async () => {
    const ids = await makeIncidents(6);
    const colleague = await join(person, 'member');
    const answers = await Promise.all([
      bulk('acknowledge', ids),
      bulk('acknowledge', ids.toReversed(), colleague.token),
      ...ids.map(async (id) => {
        await call(person, 'POST', `/api/v1/incidents/${id}/acknowledge`);
        return [];
      }),
    ]);
    expect(answers.flat().filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    for (const id of ids) {
      expect(await db.incidentUpdate.count({ where: { incidentId: id, kind: 'acknowledged' } })).toBe(1);
      expect(await eventsOf(id)).toEqual(['incident.opened', 'incident.acknowledged']);
    }
  });
});

describe('bulk resolution', () => {
  it('resolves unresolved incidents by hand and lets checks open another one', async () => {
    const config = { url: target.url, confirm: { failures: 1, recoveries: 1 } };
    const { monitor } = await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config }));
    await call(person, 'POST', `/dashboard/monitors/${monitor.id}/check`);
    const { id } = await db.incident.findFirstOrThrow({ where: { monitorId: monitor.id } });
    const [manual = ''] = await makeIncidents(1);
    expect(outcomes(await bulk('resolve', [id, manual]))).toEqual(['done', 'done']);
    expect(outcomes(await bulk('resolve', [id, manual]))).toEqual(['unchanged', 'unchanged']);
    expect(await db.monitorState.findUniqueOrThrow({ where: ownState(monitor.id) })).toMatchObject({
      openIncident: null,
    });
    const resolved = await db.delivery.findFirstOrThrow({ where: { incidentId: id, event: 'incident.resolved' } });
    expect(resolved.payload).toMatchObject({ data: { resolution: 'manual', actor: 'Robin' } });
    await call(person, 'POST', `/dashboard/monitors/${monitor.id}/check`);
    expect(await db.incident.count({ where: { monitorId: monitor.id } })).toBe(2);
  });

  it('resolves each incident once while others acknowledge and resolve them in another order', async () => {
    const ids = await makeIncidents(8);
    const answers = await Promise.all([
      bulk('resolve', ids),
      bulk('acknowledge', ids.toReversed()),
      bulk('resolve', ids.toReversed()),
      bulk('acknowledge', ids),
    ]);
    const resolved = [...(answers[0] ?? []), ...(answers[2] ?? [])].filter(({ outcome }) => outcome === 'done');
    expect(resolved).toHaveLength(ids.length);
    for (const id of ids) {
      expect(await db.incident.findUniqueOrThrow({ where: { id } })).toMatchObject({
        status: 'resolved',
        openKey: null,
      });
      expect(await db.incidentUpdate.count({ where: { incidentId: id, kind: 'resolved' } })).toBe(1);
      const events = await eventsOf(id);
      expect(events.filter((event) => event === 'incident.resolved')).toHaveLength(1);
      expect(events.at(-1)).toBe('incident.resolved');
    }
  });
});

it('refuses too many IDs, none, repeated ones and an unknown action', async () => {
  const send = async (body: unknown) => {
    const answer = await rest('POST', '/api/v1/incidents/bulk', { token: person.token, body });
    return [answer.status, answer.body.error.issues[0].path];
  };
  const many = Array.from({ length: 101 }, newId);
  expect(await send({ action: 'resolve', ids: many })).toEqual([400, 'ids']);
  expect(await send({ action: 'resolve', ids: [] })).toEqual([400, 'ids']);
  expect(await send({ action: 'resolve', ids: ['a', 'a'] })).toEqual([400, 'ids']);
  expect(await send({ action: 'reopen', ids: ['a'] })).toEqual([400, 'action']);
});

it('needs the write scope and the role of a member', async () => {
  const [id = ''] = await makeIncidents(1);
  const body = { action: 'resolve', ids: [id] };
  const viewer = await join(person, 'viewer');
  const key = await makeKey(person, ['read']);
  expect((await rest('POST', '/api/v1/incidents/bulk', { token: viewer.token, body })).status).toBe(403);
  expect((await rest('POST', '/api/v1/incidents/bulk', { token: key, body })).status).toBe(403);
  expect(await db.incident.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'open' });
});

it('answers a repeated call with the same Idempotency-Key alike', async () => {
  const ids = await makeIncidents(2);
  const headers = { 'idempotency-key': newId() };
  const body = { action: 'resolve', ids };
  const send = () => rest('POST', '/api/v1/incidents/bulk', { token: person.token, body, headers });
  const first = await send();
  expect(outcomes(first.body.results)).toEqual(['done', 'done']);
  expect((await send()).body).toEqual(first.body);
});
