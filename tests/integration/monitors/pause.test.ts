import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { notifyPaused } from '@/server/monitors/pause';
import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { ownState } from '@/tests/support/own-state';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { call, httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

let target: HttpReceiver;
let person: Person;

beforeAll(async () => {
  target = await startHttpReceiver();
  person = await signUp('Robin');
  await db.team.updateMany({ where: { id: person.teamId }, data: { plan: 'self_hosted' } });
  const config = { url: `${target.url}/hook` };
  await call(person, 'POST', '/dashboard/notification-channels', { type: 'webhook', name: 'Hook', config });
});
beforeEach(() => target.respond(() => ({ status: 503 })));
afterAll(() => target.close());

const check = (id: string) => call(person, 'POST', `/dashboard/monitors/${id}/check`);
const setActive = (id: string, isActive: boolean) => call(person, 'PUT', `/dashboard/monitors/${id}`, { isActive });
const notify = (monitorId: string) => runJob(notifyPaused, { monitorId });
const incidentsOf = (monitorId: string) => db.incident.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
const eventsOf = async (monitorId: string) =>
  (await db.delivery.findMany({ where: { incident: { monitorId } }, orderBy: { id: 'asc' } })).map(
    ({ event, payload }) => {
      const { resolution } = (payload as { data: { resolution?: string } }).data;
      return resolution ? `${event} ${resolution}` : event;
    },
  );

/** A monitor that is down, with its incident. */
async function makeDown(): Promise<string> {
  const config = { url: target.url, confirm: { failures: 1, recoveries: 1 } };
  const { monitor } = await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config }));
  await check(monitor.id);
  expect(await incidentsOf(monitor.id)).toHaveLength(1);
  return monitor.id;
}

it('notifies the incidents that a pause resolved once it cannot be undone', async () => {
  const id = await makeDown();
  await setActive(id, false);
  expect(await incidentsOf(id)).toMatchObject([{ status: 'resolved', openKey: null }]);
  expect(await eventsOf(id)).toEqual(['incident.opened']);
  const [job] = await db.$queryRaw<{ runAt: Date }[]>`
    select run_at as "runAt" from graphile_worker.jobs where key = ${`tell-paused:${id}`}`;
  expect(job?.runAt.getTime()).toBeGreaterThan(Date.now() + 20_000);
  await notify(id);
  await notify(id);
  expect(await eventsOf(id)).toEqual(['incident.opened', 'incident.resolved paused']);
});

it('leaves the incident as it was if the pause is undone, without a message', async () => {
  const id = await makeDown();
  const [opened] = await incidentsOf(id);
  await call(person, 'POST', `/api/v1/incidents/${opened?.id}/acknowledge`);
  const [before] = await incidentsOf(id);
  const timeline = () =>
    db.incidentUpdate.findMany({ where: { incidentId: before?.id ?? '' }, orderBy: { id: 'asc' } });
  const lines = await timeline();
  await setActive(id, false);
  await setActive(id, true);
  expect(await incidentsOf(id)).toEqual([{ ...before, updatedAt: expect.any(Date) }]);
  expect(await timeline()).toEqual(lines);
  await notify(id);
  // Still down: it is the same incident.
  await check(id);
  expect(await incidentsOf(id)).toHaveLength(1);
  expect(await eventsOf(id)).toEqual(['incident.opened', 'incident.acknowledged']);
  target.respond(() => ({ status: 200 }));
  await check(id);
  expect(await incidentsOf(id)).toMatchObject([{ id: before?.id, status: 'resolved' }]);
  expect(await eventsOf(id)).toEqual(['incident.opened', 'incident.acknowledged', 'incident.resolved recovered']);
});

it('brings back a certificate incident and a degraded one', async () => {
  const config = { url: target.url, confirm: { failures: 1, recoveries: 1 } };
  const { monitor } = await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config }));
  const { id } = monitor;
  for (const [type, subject] of [
    ['degraded', 'status'],
    ['certificate', 'certificate'],
  ] as const) {
    const facts = { teamId: person.teamId, monitorId: id, type, status: 'open' as const, openKey: `${id}:${subject}` };
    await db.incident.create({ data: { id: `${id.slice(0, -1)}${type}`, startedAt: new Date(), ...facts } });
  }
  await db.monitorState.update({
    where: ownState(id),
    data: { status: 'degraded', openIncident: 'degraded', certificateWarned: true },
  });
  await setActive(id, false);
  expect((await incidentsOf(id)).map(({ status }) => status)).toEqual(['resolved', 'resolved']);
  await setActive(id, true);
  expect((await incidentsOf(id)).map(({ status }) => status)).toEqual(['open', 'open']);
  expect(await db.monitorState.findUnique({ where: ownState(id) })).toMatchObject({
    status: 'degraded',
    openIncident: 'degraded',
    certificateWarned: true,
    beforePause: null,
  });
});

const spansOf = async (id: string) =>
  db.statusSpan.findMany({ where: { monitor: { id } }, orderBy: { startedAt: 'asc' } });
/** Without the schedule, which starts anew. */
const stateOf = async (id: string) => {
  const {
    dueAt: _dueAt,
    revision: _revision,
    ...state
  } = await db.monitorState.findUniqueOrThrow({
    where: ownState(id),
  });
  return state;
};

it.each([503, 200])(
  'brings back the status, its time and its history of a monitor that answered %i',
  async (status) => {
    target.respond(() => ({ status }));
    const config = { url: target.url, confirm: { failures: 3, recoveries: 3 } };
    const { id } = (await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config }))).monitor;
    await check(id);
    const [state, spans] = [await stateOf(id), await spansOf(id)];
    await setActive(id, false);
    expect(await stateOf(id)).toMatchObject({ status: 'paused', failures: 0 });
    await setActive(id, true);
    expect(await stateOf(id)).toEqual(state);
    expect(await spansOf(id)).toEqual(spans);
    expect((await call(person, 'GET', `/api/v1/monitors/${id}`)).monitor.status).toBe(
      status === 200 ? 'up' : 'pending',
    );
  },
);

it('starts over if the monitor was edited between the pause and its undo', async () => {
  target.respond(() => ({ status: 200 }));
  const { id } = (await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config: { url: target.url } }))).monitor;
  await check(id);
  await setActive(id, false);
  await call(person, 'PUT', `/dashboard/monitors/${id}`, { config: { url: `${target.url}/other` } });
  await setActive(id, true);
  expect((await stateOf(id)).status).toBe('pending');
  expect((await spansOf(id)).map(({ status }) => status).slice(-2)).toEqual(['paused', 'pending']);
});

it('starts over a monitor that was not watched before the pause', async () => {
  target.respond(() => ({ status: 200 }));
  const { id } = (await call(person, 'POST', '/api/v1/monitors', httpMonitor({ config: { url: target.url } }))).monitor;
  await check(id);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await db.monitorState.update({ where: ownState(id), data: { lastCheckedAt: anHourAgo, statusSince: anHourAgo } });
  await db.monitor.update({ where: { id }, data: { createdAt: anHourAgo } });
  await setActive(id, false);
  await setActive(id, true);
  expect((await stateOf(id)).status).toBe('pending');
});

it('starts over, and notifies the incidents that the pause resolved, if the monitor is resumed later', async () => {
  const id = await makeDown();
  await setActive(id, false);
  const { beforePause } = await db.monitorState.findUniqueOrThrow({ where: ownState(id) });
  const at = new Date(Date.now() - 60_000).toISOString();
  await db.monitorState.update({ where: ownState(id), data: { beforePause: { ...(beforePause as object), at } } });
  await setActive(id, true);
  await notify(id);
  expect(await eventsOf(id)).toEqual(['incident.opened', 'incident.resolved paused']);
  await check(id);
  expect((await incidentsOf(id)).map(({ status }) => status)).toEqual(['resolved', 'open']);
});

it('notifies them if the monitor is deleted in between', async () => {
  const id = await makeDown();
  const [incident] = await incidentsOf(id);
  await setActive(id, false);
  await call(person, 'DELETE', `/dashboard/monitors/${id}`);
  await notify(id);
  const sent = await db.delivery.findMany({ where: { incidentId: incident?.id ?? '' }, orderBy: { id: 'asc' } });
  expect(sent.map(({ event }) => event)).toEqual(['incident.opened', 'incident.resolved']);
});

it('is either undone or notified if both happen at once', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const id = await makeDown();
    await setActive(id, false);
    await Promise.all(round % 2 === 0 ? [notify(id), setActive(id, true)] : [setActive(id, true), notify(id)]);
    const [incident, ...more] = await incidentsOf(id);
    expect(more).toEqual([]);
    const events = await eventsOf(id);
    expect(events).toEqual(
      incident?.status === 'open' ? ['incident.opened'] : ['incident.opened', 'incident.resolved paused'],
    );
    outcomes.add(incident?.status ?? '');
    await call(person, 'DELETE', `/dashboard/monitors/${id}`);
  }
  expect(outcomes.size).toBeGreaterThan(0);
});

it('notifies once, and opens nothing twice, if many requests pause and resume one monitor', async () => {
  const id = await makeDown();
  await Promise.all([false, true, false, true, false, true].map((isActive) => setActive(id, isActive)));
  await setActive(id, true);
  await notify(id);
  await check(id);
  const open = (await incidentsOf(id)).filter(({ status }) => status !== 'resolved');
  expect(open).toHaveLength(1);
  expect(await eventsOf(id)).toEqual(['incident.opened']);
});

it('is refused where a monitor was paused 60 times within an hour, and adds nothing to its history then', async () => {
  const [id, other] = [await makeDown(), await makeDown()];
  const { num } = await db.monitor.findUniqueOrThrow({ where: { id } });
  await db.$executeRaw`
    insert into status_spans (monitor_num, started_at, ended_at, status)
    select ${num}, at, at + interval '10 s', 'paused'
    from generate_series(1, 59) i cross join lateral (select now() - i * interval '55 s' as at) a`;
  await setActive(id, false);
  await db.monitorState.update({ where: ownState(id), data: { beforePause: Prisma.DbNull } });
  await setActive(id, true);
  const spans = () => db.statusSpan.findMany({ where: { monitorNum: num }, orderBy: { startedAt: 'asc' } });
  const before = await spans();
  expect(before.filter(({ status }) => status === 'paused')).toHaveLength(60);
  const refused = await rest('PUT', `/dashboard/monitors/${id}`, { token: person.token, body: { isActive: false } });
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(refused.headers.get('retry-after')).toBe('60');
  const { results } = await call(person, 'POST', '/api/v1/monitors/bulk', { action: 'pause', ids: [id, other] });
  expect(results).toMatchObject([
    { id, outcome: 'refused', error: { code: 'RATE_LIMITED' } },
    { id: other, outcome: 'done', error: null },
  ]);
  expect(await spans()).toEqual(before);
  expect(await db.monitor.findUnique({ where: { id } })).toMatchObject({ isActive: true });
  await db.$executeRaw`
    update status_spans set started_at = started_at - interval '1 h', ended_at = ended_at - interval '1 h'
    where monitor_num = ${num} and started_at < now() - interval '53 min'`;
  await setActive(id, false);
});
