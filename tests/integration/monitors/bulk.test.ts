import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BulkResult } from '@/server/lists/schema';
import { deleteMonitors } from '@/server/monitors/bulk/delete-later';
import { notifyPaused } from '@/server/monitors/pause';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { countStatements } from '@/tests/support/count-statements';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { call, httpMonitor, join, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

let target: HttpReceiver;
let person: Person;
let outsider: Person;

beforeAll(async () => {
  target = await startHttpReceiver();
  person = await signUp('Robin');
  outsider = await signUp();
  await db.team.updateMany({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  const config = { url: `${target.url}/hook` };
  await call(person, 'POST', '/dashboard/notification-channels', { type: 'webhook', name: 'Hook', config });
});
beforeEach(() => target.respond(() => ({ status: 503 })));
afterAll(() => target.close());

const bulk = async (action: string, ids: string[], more = {}): Promise<BulkResult[]> =>
  (await call(person, 'POST', '/api/v1/monitors/bulk', { action, ids, ...more })).results;
const outcomes = (results: BulkResult[]) => results.map(({ outcome, error }) => error?.code ?? outcome);

/** A monitor that is down, and its open incident. */
async function makeDown(): Promise<{ id: string; incidentId: string }> {
  const config = { url: target.url, confirm: { failures: 1, recoveries: 1 } };
  const { monitor } = await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config }));
  await call(person, 'POST', `/dashboard/monitors/${monitor.id}/check`);
  const incident = await db.incident.findFirstOrThrow({ where: { monitorId: monitor.id } });
  return { id: monitor.id, incidentId: incident.id };
}

it('pauses several monitors, and resuming them within the time of an undo leaves their incidents as they were', async () => {
  const [first, second] = [await makeDown(), await makeDown()];
  const ids = [first.id, second.id];
  await call(person, 'POST', `/api/v1/incidents/${second.incidentId}/acknowledge`);
  const incidents = () =>
    db.incident.findMany({ where: { monitorId: { in: ids } }, orderBy: { id: 'asc' }, omit: { updatedAt: true } });
  const before = await incidents();
  expect(outcomes(await bulk('pause', ids))).toEqual(['done', 'done']);
  expect((await incidents()).map(({ status }) => status)).toEqual(['resolved', 'resolved']);
  expect(outcomes(await bulk('resume', ids))).toEqual(['done', 'done']);
  for (const monitorId of ids) await runJob(notifyPaused, { monitorId });
  expect(await incidents()).toEqual(before);
  const events = await db.delivery.findMany({ where: { incident: { monitorId: { in: ids } } } });
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    'incident.acknowledged',
    'incident.opened',
    'incident.opened',
  ]);
});

it('says which monitors were paused before, and which do not exist in the team', async () => {
  const { id } = await makeDown();
  const paused = (await call(person, 'POST', '/api/v1/monitors', httpMonitor())).monitor.id;
  await bulk('pause', [paused]);
  const foreign = (await call(outsider, 'POST', '/api/v1/monitors', httpMonitor())).monitor.id;
  const gone = newId();
  expect(outcomes(await bulk('pause', [gone, paused, foreign, id]))).toEqual([
    'NOT_FOUND',
    'unchanged',
    'NOT_FOUND',
    'done',
  ]);
  expect(await db.monitor.findUniqueOrThrow({ where: { id: foreign } })).toMatchObject({ isActive: true });
  expect(await db.auditEntry.count({ where: { targetId: id, action: 'monitor.update' } })).toBe(1);
});

it('pauses each monitor once if it is called several times at once, and while others are deleted', async () => {
  const made = await Promise.all(
    Array.from({ length: 4 }, () => call(person, 'POST', '/api/v1/monitors', httpMonitor())),
  );
  const ids: string[] = made.map(({ monitor }) => monitor.id);
  const [deleted = '', ...kept] = ids;
  const [forth, back] = await Promise.all([
    bulk('pause', ids),
    bulk('pause', ids.toReversed()),
    call(person, 'DELETE', `/api/v1/monitors/${deleted}`),
  ]);
  const all = [...(forth ?? []), ...(back ?? [])];
  for (const id of kept) {
    expect(outcomes(all.filter((result) => result.id === id)).toSorted()).toEqual(['done', 'unchanged']);
  }
  expect(await db.monitor.count({ where: { id: { in: ids }, isActive: false } })).toBe(kept.length);
});

it('changes monitors in any order of several calls with an Idempotency-Key', async () => {
  const ids: string[] = [];
  for (let made = 0; made < 8; made += 1) ids.push((await makeDown()).id);
  const send = (action: string, order: string[]) =>
    rest('POST', '/api/v1/monitors/bulk', {
      token: person.token,
      body: { action, ids: order },
      headers: { 'idempotency-key': newId() },
    });
  for (const action of ['pause', 'resume', 'pause', 'resume']) {
    const answers = await Promise.all([send(action, ids), send(action, ids.toReversed()), send(action, ids)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
});

it('refuses more than 100 monitors, and viewers', async () => {
  const { id } = await makeDown();
  const viewer = await join(person, 'viewer');
  const send = (token: string, ids: string[]) =>
    rest('POST', '/api/v1/monitors/bulk', { token, body: { action: 'pause', ids } });
  expect((await send(person.token, Array.from({ length: 101 }, newId))).status).toBe(400);
  expect((await send(viewer.token, [id])).status).toBe(403);
});

const create = async (more = {}): Promise<string> =>
  (await call(person, 'POST', '/api/v1/monitors', httpMonitor(more))).monitor.id;
/** Makes a deletion final, as 20 s later. */
const passTime = (ids: string[]) =>
  db.monitor.updateMany({ where: { id: { in: ids } }, data: { deletesAt: new Date(Date.now() - 1000) } });
const remove = (ids: string[]) => runJob(deleteMonitors, { teamId: person.teamId, ids });

it('refuses an edit of a monitor that is being deleted, unless it resumes the monitor', async () => {
  const id = await create({ tags: ['kept'] });
  await bulk('delete', [id]);
  const edit = (body: object) => rest('PUT', `/api/v1/monitors/${id}`, { token: person.token, body });
  const refused = { code: 'EDIT_CONFLICT', message: 'This monitor is being deleted. Undo its deletion first.' };
  expect(await edit({ name: 'New' })).toMatchObject({ status: 409, body: { error: refused } });
  expect(await edit({ name: 'New', isActive: true })).toMatchObject({ status: 200 });
  await remove([id]);
  expect(await db.monitor.findUniqueOrThrow({ where: { id } })).toMatchObject({ name: 'New', deletesAt: null });
});

it('restores a deleted monitor with its status, history, incidents and settings', async () => {
  const { id } = await makeDown();
  const paused = await create({ tags: ['kept'] });
  await bulk('pause', [paused]);
  const facts = async () => ({
    monitors: await db.monitor.findMany({
      where: { id: { in: [id, paused] } },
      orderBy: { id: 'asc' },
      include: { channels: true, spans: { orderBy: { startedAt: 'asc' } } },
      omit: { version: true, updatedAt: true },
    }),
    states: await db.monitorState.findMany({
      where: { monitorId: { in: [id, paused] } },
      orderBy: { monitorId: 'asc' },
      select: { monitorId: true, status: true, statusSince: true, openIncident: true, failures: true },
    }),
    incidents: await db.incident.findMany({ where: { monitorId: id }, omit: { updatedAt: true } }),
    checks: await db.check.count({
      where: { monitorNum: (await db.monitor.findUniqueOrThrow({ where: { id } })).num },
    }),
  });
  const before = await facts();
  expect(outcomes(await bulk('delete', [id, paused]))).toEqual(['done', 'done']);
  expect(outcomes(await bulk('delete', [id, paused]))).toEqual(['unchanged', 'unchanged']);
  const { rows } = await call(person, 'GET', '/api/v1/overview');
  expect(rows.find((row: { id: string }) => row.id === id)).toMatchObject({
    status: 'paused',
    deletesAt: expect.any(String),
  });
  await remove([id, paused]);
  expect(outcomes(await bulk('restore', [id, paused]))).toEqual(['done', 'done']);
  await remove([id, paused]);
  expect(await facts()).toEqual(before);
  expect(outcomes(await bulk('restore', [id]))).toEqual(['unchanged']);
  const actions = await db.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'asc' } });
  expect(actions.map(({ action }) => action)).toEqual(['monitor.create', 'monitor.delete', 'monitor.restore']);
});

it('deletes a monitor once its deletion cannot be undone, and notifies of its incident once', async () => {
  const { id, incidentId } = await makeDown();
  await bulk('delete', [id]);
  await passTime([id]);
  await remove([id]);
  await remove([id]);
  expect(await db.monitor.count({ where: { id } })).toBe(0);
  expect(outcomes(await bulk('restore', [id]))).toEqual(['NOT_FOUND']);
  const events = await db.delivery.findMany({ where: { incidentId }, orderBy: { id: 'asc' } });
  expect(events.map(({ event }) => event)).toEqual(['incident.opened', 'incident.resolved']);
  const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: id, action: 'monitor.delete' } });
  expect(entry.before).toMatchObject({ config: { url: target.url } });
});

it('keeps a monitor that was resumed after it was deleted', async () => {
  const ids = [await create(), await create()];
  await bulk('delete', ids);
  await bulk('resume', ids.slice(0, 1));
  await call(person, 'PUT', `/api/v1/monitors/${ids[1]}`, { isActive: true });
  await bulk('pause', ids);
  await remove(ids);
  expect(await db.monitor.count({ where: { id: { in: ids }, deletesAt: null } })).toBe(2);
});

it('either restores or deletes a monitor when both happen at once', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => create()));
  await bulk('delete', ids);
  await passTime(ids);
  const [results = []] = await Promise.all([bulk('restore', ids), remove(ids), remove(ids)]);
  for (const { id, outcome } of results) {
    expect(await db.monitor.count({ where: { id, isActive: true } })).toBe(outcome === 'done' ? 1 : 0);
  }
});

it('adds a tag to monitors once when called several times at once, and plans the maintenance of that tag', async () => {
  const ids = [await create(), await create({ tags: ['shop', 'eu'] })];
  const full = await create({ tags: Array.from({ length: 20 }, (_, index) => `tag-${index}`) });
  const startsAt = new Date(Date.now() - 60_000).toISOString();
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  await call(person, 'POST', '/api/v1/maintenance-windows', { title: 'Shop', tags: ['shop'], startsAt, endsAt });
  const [one = [], other = []] = await Promise.all([
    bulk('addTag', [...ids, full], { tag: 'shop' }),
    bulk('addTag', [full, ...ids].toReversed(), { tag: 'shop' }),
  ]);
  const of = (id: string | undefined) => outcomes([...one, ...other].filter((each) => each.id === id)).toSorted();
  expect(of(ids[0])).toEqual(['done', 'unchanged']);
  expect(of(ids[1])).toEqual(['unchanged', 'unchanged']);
  expect(of(full)).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR']);
  const read = async (id: string | undefined) => (await call(person, 'GET', `/api/v1/monitors/${id}`)).monitor;
  expect(await read(ids[0])).toMatchObject({ tags: ['shop'], status: 'maintenance' });
  expect(outcomes(await bulk('removeTag', ids, { tag: 'shop' }))).toEqual(['done', 'done']);
  expect(await read(ids[0])).toMatchObject({ tags: [], status: 'pending' });
  expect(await read(ids[1])).toMatchObject({ tags: ['eu'], status: 'pending' });
});

it('sets the channels of monitors, and rejects those of another team', async () => {
  const { id } = await db.channel.findFirstOrThrow({ where: { teamId: person.teamId } });
  const ids = [await create(), await create({ channelIds: [id] })];
  expect(outcomes(await bulk('setChannels', ids, { channelIds: [id] }))).toEqual(['done', 'unchanged']);
  const read = async () =>
    Promise.all(ids.map(async (each) => (await call(person, 'GET', `/api/v1/monitors/${each}`)).monitor.channelIds));
  expect(await read()).toEqual([[id], [id]]);
  const body = { action: 'setChannels', ids, channelIds: [newId()] };
  expect((await rest('POST', '/api/v1/monitors/bulk', { token: person.token, body })).status).toBe(400);
  expect(await read()).toEqual([[id], [id]]);
  expect(outcomes(await bulk('setChannels', ids, { channelIds: null }))).toEqual(['done', 'done']);
  expect(await read()).toEqual([null, null]);
});

it('makes checks due at once, but not for paused monitors, heartbeats and those that were just checked', async () => {
  const [due, recent, paused] = [await create(), await create(), await create()];
  const heartbeat = { type: 'heartbeat', name: 'Job', config: { graceSeconds: 60 } };
  const job = (await call(person, 'POST', '/api/v1/monitors', heartbeat)).monitor.id;
  await bulk('pause', [paused]);
  const later = new Date(Date.now() + 3_600_000);
  await db.monitorState.updateMany({ where: { monitorId: { in: [due, recent] } }, data: { dueAt: later } });
  await db.monitorState.updateMany({ where: { monitorId: recent }, data: { lastCheckedAt: new Date() } });
  const ids = [due, recent, paused, job];
  expect(outcomes(await bulk('check', ids))).toEqual(['done', 'unchanged', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
  const { dueAt } = await db.monitorState.findFirstOrThrow({ where: { monitorId: due } });
  expect(dueAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
});

it('takes about as many statements for many monitors as for one', async () => {
  const [one, ...many] = await Promise.all(Array.from({ length: 21 }, () => create()));
  const actions = [
    ['addTag', { tag: 'counted' }],
    ['setChannels', { channelIds: [] }],
    ['check', {}],
    ['delete', {}],
    ['restore', {}],
  ] as const;
  for (const [action, more] of actions) {
    const single = await countStatements(() => bulk(action, [one ?? ''], more));
    const several = await countStatements(() => bulk(action, many, more));
    expect(several, action).toBeLessThanOrEqual(single + 4);
  }
});
