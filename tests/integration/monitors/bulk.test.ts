import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BulkResult } from '@/server/lists/schema';
import { notifyPaused } from '@/server/monitors/pause';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
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

const bulk = async (action: string, ids: string[]): Promise<BulkResult[]> =>
  (await call(person, 'POST', '/api/v1/monitors/bulk', { action, ids })).results;
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
