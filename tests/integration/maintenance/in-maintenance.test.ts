import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordResults } from '@/server/checks/record/record';
import { claimDue } from '@/server/checks/schedule/claim';
import { toPlan } from '@/server/checks/schedule/plan';
import { announceWindow } from '@/server/maintenance/announce-window';
import { notifyEdge } from '@/server/maintenance/notify-edge';
import { planAhead } from '@/server/maintenance/plan-ahead';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { receivedBytes } from '@/tests/support/database-traffic';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { makeMonitor, readRegion, readState } from '../checks/monitors';

const windows = '/api/v1/maintenance-windows';
const MINUTE = 60_000;
const soon = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

let person: Person;
let key: string;
beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});
beforeEach(async () => {
  await db.monitor.deleteMany();
  await db.maintenanceWindow.deleteMany();
});
afterAll(() => db.team.deleteMany());

const make = (options: { regions?: string[]; intervalSeconds?: number } = {}) =>
  makeMonitor(person.teamId, {
    url: 'http://example.test/',
    config: { confirm: { failures: 1, recoveries: 1 } },
    ...options,
  });
type Monitor = Awaited<ReturnType<typeof make>>;

async function create(body: Record<string, unknown>): Promise<string> {
  const answer = await rest('POST', windows, { token: key, body: { title: 'Work', ...body } });
  expect(answer.status).toBe(201);
  return answer.body.maintenanceWindow.id;
}

async function check(monitor: Monitor, status: 'up' | 'down', region = 'test'): Promise<void> {
  const at = new Date();
  const verdict = { status, error: status === 'up' ? null : 'no answer' };
  const finding = { at, observation: null, verdict };
  await recordResults(null, [{ plan: toPlan(monitor), finding, region, takenAt: at, claim: null }]);
}

const read = async (id: string) => (await rest('GET', `/api/v1/monitors/${id}`, { token: key })).body.monitor;
const incidents = (monitorId: string) => db.incident.findMany({ where: { monitorId }, orderBy: { startedAt: 'asc' } });

describe('monitor in maintenance', () => {
  it('has the status maintenance in every answer, opens nothing, and opens an incident with its true start after a deletion', async () => {
    const monitor = await make();
    const id = await create({ startsAt: soon(-5), endsAt: soon(60), monitorIds: [monitor.id] });
    await check(monitor, 'down');
    expect((await read(monitor.id)).status).toBe('maintenance');
    const list = async (status: string) =>
      (await rest('GET', `/api/v1/monitors?status=${status}`, { token: key })).body.monitors.length;
    expect([await list('maintenance'), await list('down')]).toEqual([1, 0]);
    expect(await incidents(monitor.id)).toEqual([]);
    const { statusSince } = await readState(monitor.id);

    await rest('DELETE', `${windows}/${id}`, { token: key });
    expect((await read(monitor.id)).status).toBe('down');
    expect((await readState(monitor.id)).dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
    await check(monitor, 'down');
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'open', startedAt: statusSince }]);
  });

  it('holds an incident that is open, and resolves it after the end with its true time', async () => {
    const monitor = await make();
    await check(monitor, 'down');
    const id = await create({ startsAt: soon(-1), endsAt: soon(60), monitorIds: [monitor.id] });
    await check(monitor, 'up');
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'open' }]);
    const { statusSince } = await readState(monitor.id);
    await rest('PUT', `${windows}/${id}`, { token: key, body: { endsAt: soon(-0.5) } });
    await check(monitor, 'up');
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'resolved', resolvedAt: statusSince }]);
  });

  it('opens another incident after the end if somebody resolved the one that was open, and it failed again', async () => {
    const monitor = await make();
    await check(monitor, 'down');
    const id = await create({ startsAt: soon(-1), endsAt: soon(60), monitorIds: [monitor.id] });
    await check(monitor, 'up');
    const [open] = await incidents(monitor.id);
    expect((await rest('POST', `/api/v1/incidents/${open?.id}/resolve`, { token: key })).status).toBe(200);
    await check(monitor, 'down');
    await rest('PUT', `${windows}/${id}`, { token: key, body: { endsAt: soon(-0.5) } });
    await check(monitor, 'down');
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'resolved' }, { status: 'open' }]);
  });

  it('is named in the timeline of an incident that it holds, once, and of one that it held', async () => {
    const [first, second] = [await make(), await make()];
    await check(first, 'down');
    const monitorIds = [first.id, second.id];
    const endsAt = soon(60);
    const id = await create({ title: 'Database upgrade', startsAt: soon(-1), endsAt, monitorIds });
    const lines = async ({ id: monitorId }: Monitor) => {
      const [incident] = await incidents(monitorId);
      const { updates } = (await rest('GET', `/api/v1/incidents/${incident?.id}/updates`, { token: key })).body;
      return updates.map(({ kind, message }: { kind: string; message: string }) => `${kind}: ${message}`);
    };
    const stamp = (at: string) => `${at.slice(0, 19).replace('T', ' ')} UTC`;
    await check(first, 'down');
    await check(first, 'up');
    await check(second, 'down');
    const held = `note: In maintenance “Database upgrade” until ${stamp(endsAt)}.`;
    expect(await lines(first)).toEqual([held, 'opened: no answer']);
    expect(await incidents(second.id)).toEqual([]);

    const end = soon(-0.5);
    await rest('PUT', `${windows}/${id}`, { token: key, body: { endsAt: end } });
    await check(first, 'up');
    await check(second, 'down');
    const ended = `note: In maintenance “Database upgrade” until ${stamp(end)}`;
    expect((await lines(first)).toSorted()).toEqual(
      [
        `${ended}; the end was reported after it.`,
        ...[`${ended}.`, 'opened: no answer', 'resolved: Checks are passing again.'],
      ].toSorted(),
    );
    expect(await lines(second)).toEqual([`${ended}; the incident was opened after it.`, 'opened: no answer']);
  });

  describe('without checks', () => {
    const linesOf = async ({ id: monitorId }: Monitor) => {
      const rows = await db.incidentUpdate.findMany({ where: { incident: { monitorId }, kind: 'note' } });
      return rows.map(({ message }) => message);
    };
    const line = (endsAt: string) => `In maintenance “Work” until ${endsAt.slice(0, 19).replace('T', ' ')} UTC.`;

    it('is named once, with its present end, in the timeline of an incident that is open when it is created', async () => {
      const [open, fine] = [await make(), await make()];
      await check(open, 'down');
      const [endsAt, later] = [soon(60), soon(90)];
      const id = await create({ startsAt: soon(-1), endsAt, monitorIds: [open.id, fine.id], checks: 'pause' });
      expect(await linesOf(open)).toEqual([line(endsAt)]);
      await rest('PUT', `${windows}/${id}`, { token: key, body: { endsAt: later } });
      await runJob(notifyEdge, { windowId: id });
      expect(await linesOf(open)).toEqual([line(later)]);
      const { body } = await rest('POST', `${windows}/${id}/end`, { token: key });
      expect(await linesOf(open)).toEqual([line(body.maintenanceWindow.endsAt)]);
      expect(await linesOf(fine)).toEqual([]);
    });

    it('is named once in the timeline of an incident that is open when it starts', async () => {
      const monitor = await make();
      await check(monitor, 'down');
      const [startsAt, endsAt] = [soon(1 / 30), soon(60)];
      const id = await create({ startsAt, endsAt, monitorIds: [monitor.id], checks: 'pause' });
      expect(await linesOf(monitor)).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, Date.parse(startsAt) + 50 - Date.now()));
      await Promise.all([runJob(notifyEdge, { windowId: id }), runJob(notifyEdge, { windowId: id })]);
      expect(await linesOf(monitor)).toEqual([line(endsAt)]);
    });

    it('is named in the timeline of an incident whose monitor joins it by a tag', async () => {
      const monitor = await make();
      await check(monitor, 'down');
      const endsAt = soon(60);
      await create({ startsAt: soon(-1), endsAt, tags: ['db'], checks: 'pause' });
      expect(await linesOf(monitor)).toEqual([]);
      await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { tags: ['db'] } });
      expect(await linesOf(monitor)).toEqual([line(endsAt)]);
    });
  });

  it('is not named in the timeline of an incident that opens and ends after it', async () => {
    const monitor = await make();
    await check(monitor, 'up');
    await create({ startsAt: soon(-2), endsAt: soon(-1), monitorIds: [monitor.id] });
    await check(monitor, 'down');
    await check(monitor, 'up');
    const updates = await db.incidentUpdate.findMany({ where: { incident: { monitorId: monitor.id } } });
    expect(updates.map(({ kind }) => kind).toSorted()).toEqual(['opened', 'resolved']);
  });

  it('is mentioned where somebody resolves the incident of a monitor that still fails', async () => {
    const monitor = await make();
    await check(monitor, 'down');
    await create({ startsAt: soon(-1), endsAt: soon(60), monitorIds: [monitor.id] });
    const [open] = await incidents(monitor.id);
    await rest('POST', `/api/v1/incidents/${open?.id}/resolve`, { token: key });
    const notes = await db.incidentUpdate.findMany({ where: { incidentId: open?.id ?? '', kind: 'note' } });
    expect(notes.map(({ message }) => message)).toEqual([
      'The monitor is still down. If a check after maintenance fails, a new incident opens.',
    ]);
  });

  it('stays in maintenance until the last of several windows ends', async () => {
    const monitor = await make();
    const first = await create({ startsAt: soon(-5), endsAt: soon(60) });
    await create({ startsAt: soon(-1), endsAt: soon(30), monitorIds: [monitor.id] });
    await rest('DELETE', `${windows}/${first}`, { token: key });
    expect((await read(monitor.id)).status).toBe('maintenance');
  });

  it('names the windows that are running on the monitor page, the one that ends last first', async () => {
    const monitor = await make();
    const other = await make();
    const monitorIds = [monitor.id];
    const short = await create({ title: 'Short', startsAt: soon(-1), endsAt: soon(30), monitorIds });
    const long = await create({ title: 'Long', startsAt: soon(-5), endsAt: soon(60), monitorIds });
    await create({ startsAt: soon(10), endsAt: soon(90), monitorIds });
    await create({ startsAt: soon(-5), endsAt: soon(90), monitorIds: [other.id] });
    const detail = async () => (await rest('GET', `/api/v1/monitors/${monitor.id}/detail`, { token: key })).body;
    const { maintenanceWindows, maintenanceUntil } = await detail();
    expect(maintenanceWindows).toMatchObject([
      { id: long, title: 'Long' },
      { id: short, title: 'Short' },
    ]);
    expect(maintenanceWindows[0].endsAt < maintenanceUntil).toBe(true);
    await rest('POST', `${windows}/${long}/end`, { token: key });
    expect((await detail()).maintenanceWindows).toMatchObject([{ id: short }]);
    await rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { isActive: false } });
    expect((await detail()).maintenanceWindows).toEqual([]);
  });

  it('includes a monitor that gets the tag later, and one that is created with it', async () => {
    await create({ startsAt: soon(-5), endsAt: soon(60), tags: ['db'] });
    const body = { type: 'http', name: 'Shop', config: { url: 'http://example.test/' } };
    const tagged = await rest('POST', '/api/v1/monitors', { token: key, body: { ...body, tags: ['db'] } });
    expect((await read(tagged.body.monitor.id)).status).toBe('maintenance');
    const { body: other } = await rest('POST', '/api/v1/monitors', { token: key, body });
    const put = (tags: string[]) => rest('PUT', `/api/v1/monitors/${other.monitor.id}`, { token: key, body: { tags } });
    await put(['db']);
    expect((await read(other.monitor.id)).status).toBe('maintenance');
    await put([]);
    expect((await read(other.monitor.id)).status).not.toBe('maintenance');
  });

  it('is not checked where the window says so, and is due again within 10 s of its end', async () => {
    const monitor = await make();
    const endsAt = soon(60);
    const id = await create({ startsAt: soon(-5), endsAt, monitorIds: [monitor.id], checks: 'pause' });
    const waits = (await readState(monitor.id)).dueAt?.getTime() ?? 0;
    expect(waits - Date.parse(endsAt)).toBeGreaterThanOrEqual(0);
    expect(waits - Date.parse(endsAt)).toBeLessThanOrEqual(10_000);
    expect((await claimDue('worker', 'test', 1_000, 100)).claims).toEqual([]);
    await rest('PUT', `${windows}/${id}`, { token: key, body: { checks: 'continue' } });
    expect((await readState(monitor.id)).dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('is checked again soon after the new end of a window without checks that was shortened or moved', async () => {
    const monitor = await make({ intervalSeconds: 3600 });
    const id = await create({ startsAt: soon(-5), endsAt: soon(600), monitorIds: [monitor.id], checks: 'pause' });
    const change = async (body: Record<string, unknown>) => {
      expect((await rest('PUT', `${windows}/${id}`, { token: key, body })).status).toBe(200);
      return Number((await readState(monitor.id)).dueAt);
    };
    for (const endsAt of [soon(5), soon(20)]) {
      const late = (await change({ endsAt })) - Date.parse(endsAt);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(10_000);
    }
    expect(await change({ startsAt: soon(1440), endsAt: soon(1500) })).toBeLessThanOrEqual(Date.now());
  });

  it('is checked as before if a coming window without checks is deleted that would have delayed the check', async () => {
    const monitor = await make({ intervalSeconds: 3600 });
    const dueAt = new Date(Date.now() + 30 * MINUTE);
    await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data: { dueAt } });
    const [startsAt, endsAt] = [soon(20), soon(600)];
    const id = await create({ startsAt, endsAt, monitorIds: [monitor.id], checks: 'pause' });
    expect(Number((await readState(monitor.id)).dueAt)).toBeGreaterThanOrEqual(Date.parse(endsAt));
    await rest('DELETE', `${windows}/${id}`, { token: key });
    const after = Number((await readState(monitor.id)).dueAt);
    expect(after).toBeGreaterThanOrEqual(Date.parse(startsAt));
    expect(after).toBeLessThanOrEqual(dueAt.getTime());
  });

  it('is checked at the new end of a window that was shortened, if it holds an incident', async () => {
    const monitor = await make({ intervalSeconds: 3600 });
    const id = await create({ startsAt: soon(-5), endsAt: soon(600), monitorIds: [monitor.id] });
    await check(monitor, 'down');
    await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data: { dueAt: new Date(soon(55)) } });
    const endsAt = soon(5);
    await rest('PUT', `${windows}/${id}`, { token: key, body: { endsAt } });
    expect(Number((await readState(monitor.id)).dueAt)).toBe(Date.parse(endsAt) + 50);
  });

  it('holds incidents of a monitor with regions', async () => {
    const monitor = await make({ regions: ['east', 'west'] });
    const id = await create({ startsAt: soon(-5), endsAt: soon(60), monitorIds: [monitor.id] });
    for (const region of ['east', 'west']) await check(monitor, 'down', region);
    expect((await readState(monitor.id)).status).toBe('down');
    expect((await readRegion(monitor.id, 'east')).maintenance).toHaveLength(2);
    expect(await incidents(monitor.id)).toEqual([]);
    await rest('DELETE', `${windows}/${id}`, { token: key });
    await check(monitor, 'down', 'east');
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'open' }]);
  });

  it('counts the window in neither part of uptime', async () => {
    const monitor = await make();
    await db.monitorState.updateMany({
      where: { monitorId: monitor.id },
      data: { statusSince: new Date(Date.now() - 10 * MINUTE) },
    });
    await db.statusSpan.updateMany({
      where: { monitorNum: monitor.num },
      data: { startedAt: new Date(Date.now() - 10 * MINUTE), status: 'down' },
    });
    await check(monitor, 'down');
    await create({ startsAt: soon(-4), endsAt: soon(-1), monitorIds: [monitor.id] });
    const { body } = await rest('GET', `/api/v1/monitors/${monitor.id}/uptime?range=24h`, { token: key });
    expect(body.uptime.maintenanceSeconds).toBeCloseTo(180, 0);
    expect(body.uptime.downSeconds).toBeCloseTo(420, -1);
  });
});

describe('races', () => {
  it('decides a result again that was decided before a window changed', async () => {
    const monitor = await make();
    const { claims } = await claimDue('worker', 'test', 1_000, 100);
    const [claim] = claims;
    if (!claim) throw new Error('Nothing was claimed.');
    await create({ startsAt: soon(-5), endsAt: soon(60), monitorIds: [monitor.id] });
    const at = new Date();
    const finding = { at, observation: null, verdict: { status: 'down' as const, error: 'no answer' } };
    await recordResults('worker', [{ plan: toPlan(monitor), finding, region: 'test', takenAt: at, claim }]);
    expect((await readState(monitor.id)).status).toBe('down');
    expect(await incidents(monitor.id)).toEqual([]);
  });

  it('keeps one of two concurrent edits, and plans the states by it', async () => {
    const monitor = await make();
    const id = await create({ startsAt: soon(-5), endsAt: soon(60), monitorIds: [monitor.id] });
    const ends = [soon(10), soon(20), soon(30), soon(40)];
    await Promise.all([
      ...ends.map((endsAt) => rest('PUT', `${windows}/${id}`, { token: key, body: { endsAt } })),
      ...ends.map(() => check(monitor, 'down')),
      rest('PUT', `/api/v1/monitors/${monitor.id}`, { token: key, body: { tags: ['db'] } }),
    ]);
    const { endsAt } = await db.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    expect((await readState(monitor.id)).maintenance[1]).toEqual(endsAt);
    expect(await db.maintenancePeriod.count({ where: { monitorNum: monitor.num } })).toBe(1);
    expect(await incidents(monitor.id)).toEqual([]);
  });

  it('does not restore a monitor that is deleted while a window is created', async () => {
    const monitors = await Promise.all([make(), make(), make()]);
    await Promise.all([
      ...monitors.map(({ id }) => rest('DELETE', `/api/v1/monitors/${id}`, { token: key })),
      create({ startsAt: soon(-5), endsAt: soon(60) }),
      create({ startsAt: soon(-5), endsAt: soon(60), tags: ['x'] }),
    ]);
    await runJob(removeDeleted, {});
    expect(await db.maintenancePeriod.count()).toBe(0);
  });
});

describe('POST start', () => {
  it('starts maintenance now for so many minutes, without announcing it', async () => {
    const monitor = await make();
    const body = { minutes: 15, monitorIds: [monitor.id] };
    const { status, body: answer } = await rest('POST', `${windows}/start`, { token: key, body });
    expect(status).toBe(201);
    const { startsAt, endsAt, isAnnounced } = answer.maintenanceWindow;
    expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(15 * MINUTE);
    expect(isAnnounced).toBe(false);
    expect((await read(monitor.id)).status).toBe('maintenance');
  });
});

describe('GET occurrences', () => {
  it('lists each occurrence in a range of at most 92 days', async () => {
    await create({ startsAt: '2027-01-03T02:00:00Z', endsAt: '2027-01-03T03:00:00Z', recurrence: 'FREQ=WEEKLY' });
    const get = (to: string) =>
      rest('GET', `/api/v1/maintenance-occurrences?from=2027-01-01T00:00:00Z&to=${to}`, { token: key });
    const { body } = await get('2027-02-01T00:00:00Z');
    expect(body.occurrences.map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 10))).toEqual([
      '2027-01-03',
      '2027-01-10',
      '2027-01-17',
      '2027-01-24',
      '2027-01-31',
    ]);
    expect((await get('2028-01-01T00:00:00Z')).body.error.issues[0].path).toBe('to');
  });
});

describe('planAhead', () => {
  it('plans the other windows if one cannot be planned', async () => {
    const broken = await create({ startsAt: soon(-5), endsAt: soon(60), recurrence: 'FREQ=DAILY' });
    const other = await create({ startsAt: soon(-5), endsAt: soon(60), recurrence: 'FREQ=DAILY' });
    const past = new Date(Date.now() - 60_000);
    await db.maintenanceWindow.update({
      where: { id: broken },
      data: { plannedUntil: past, recurrence: 'FREQ=NEVER' },
    });
    await db.maintenanceWindow.update({ where: { id: other }, data: { plannedUntil: past } });
    await planAhead();
    const plan = async (id: string) => (await db.maintenanceWindow.findUniqueOrThrow({ where: { id } })).plannedUntil;
    expect(await plan(broken)).toEqual(past);
    expect((await plan(other))?.getTime()).toBeGreaterThan(Date.now());
    await db.maintenanceWindow.delete({ where: { id: broken } });
  });
});

describe('current occurrence', () => {
  // The times of a rule have no milliseconds.
  const second = (at: string) => `${at.slice(0, 19)}.000Z`;
  const daily = { startsAt: second(soon(-30)), endsAt: second(soon(30)), recurrence: 'FREQ=DAILY' };
  const change = (id: string, verb: 'end' | 'extend', body: Record<string, unknown> = {}) =>
    rest('POST', `${windows}/${id}/${verb}`, { token: key, body });
  const periodsOf = ({ num }: Monitor) =>
    db.maintenancePeriod.findMany({ where: { monitorNum: num }, orderBy: { startsAt: 'asc' } });

  it('ends early, and the next one takes place as planned', async () => {
    const monitor = await make();
    const id = await create({ ...daily, monitorIds: [monitor.id] });
    const before = await periodsOf(monitor);
    const ended = await change(id, 'end');
    expect(ended.status, JSON.stringify(ended.body)).toBe(200);
    expect(Date.parse(ended.body.maintenanceWindow.next.startsAt)).toBe(Date.parse(daily.startsAt) + 24 * 60 * MINUTE);
    expect((await read(monitor.id)).status).not.toBe('maintenance');
    const after = await periodsOf(monitor);
    expect(after.slice(1)).toEqual(before.slice(1));
    const again = await change(id, 'end');
    expect(again.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'This maintenance window is not running.',
    });
  });

  it('is extended as one period', async () => {
    const monitor = await make();
    const id = await create({ ...daily, monitorIds: [monitor.id] });
    const [before] = await periodsOf(monitor);
    const answer = await change(id, 'extend', { minutes: 45 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const later = new Date(Date.parse(daily.endsAt) + 45 * MINUTE);
    expect(answer.body.maintenanceWindow.next.endsAt).toBe(later.toISOString());
    const [extended, next] = await periodsOf(monitor);
    expect(extended).toMatchObject({ startsAt: before?.startsAt, endsAt: later });
    expect(next?.endsAt.getTime()).toBe(Date.parse(daily.endsAt) + 24 * 60 * MINUTE);
    const tooLong = await Promise.all(Array.from({ length: 32 }, () => change(id, 'extend', { minutes: 1_440 })));
    expect(tooLong.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(30);
    expect(tooLong.some(({ body }) => body.error?.issues?.[0]?.path === 'minutes')).toBe(true);
  });

  it.each([
    ['running', false],
    ['ended', true],
  ])('goes on as one period if it is %s and its window is changed to take place once', async (_state, isEnded) => {
    const monitor = await make();
    const id = await create({ ...daily, monitorIds: [monitor.id] });
    // As if it had been planned before its start.
    const startsAt = new Date(daily.startsAt);
    await db.maintenancePeriod.updateMany({
      where: { windowId: id, startsAt: { lt: new Date() } },
      data: { startsAt },
    });
    if (isEnded) expect((await change(id, 'end')).status).toBe(200);
    const endsAt = second(soon(60));
    const body = { recurrence: null, endsAt, checks: 'pause' };
    expect((await rest('PUT', `${windows}/${id}`, { token: key, body })).status).toBe(200);
    expect((await read(monitor.id)).status).toBe('maintenance');
    expect(await periodsOf(monitor)).toMatchObject([{ startsAt, endsAt: new Date(endsAt), checks: 'pause' }]);
  });

  it('leaves the occurrences before it in the history when its window is changed to take place once, and edited again', async () => {
    const monitor = await make();
    const id = await create({ ...daily, monitorIds: [monitor.id] });
    const aDayBefore = (at: string) => new Date(Date.parse(at) - 24 * 60 * MINUTE);
    const passed = { startsAt: aDayBefore(daily.startsAt), endsAt: aDayBefore(daily.endsAt) };
    const data = { ...passed, windowId: id, monitorNum: monitor.num, checks: 'continue' as const };
    await db.maintenancePeriod.create({ data });
    const [startsAt, endsAt] = [second(soon(-10)), second(soon(20))];
    for (const body of [{ recurrence: null }, { title: 'Another title' }, { startsAt, endsAt }]) {
      expect((await rest('PUT', `${windows}/${id}`, { token: key, body })).status).toBe(200);
    }
    expect((await change(id, 'end')).status).toBe(200);
    expect(await periodsOf(monitor)).toMatchObject([passed, { startsAt: new Date(startsAt) }]);
  });

  it('is ended by one of two concurrent requests', async () => {
    const monitor = await make();
    const id = await create({ startsAt: soon(-30), endsAt: soon(30), monitorIds: [monitor.id] });
    const answers = await Promise.all([change(id, 'end'), change(id, 'end')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is not found by another team', async () => {
    const outsider = await signUp();
    const id = await create({ ...daily, monitorIds: null });
    const token = await makeKey(outsider);
    for (const verb of ['end', 'extend']) {
      expect((await rest('POST', `${windows}/${id}/${verb}`, { token, body: {} })).status).toBe(404);
    }
  });
});

describe('announcements', () => {
  const announced = async () =>
    (await db.delivery.findMany({ where: { teamId: person.teamId }, orderBy: { createdAt: 'asc' } })).map(
      ({ event, payload }) => [event, (payload as { data: { maintenance: object } }).data.maintenance] as const,
    );
  const events = async () => (await announced()).map(([event]) => event);
  const look = (windowId: string) => runJob(announceWindow, { windowId });

  beforeEach(async () => {
    await db.channel.deleteMany();
    const config = { url: 'http://127.0.0.1:9/' };
    const body = { type: 'webhook', name: 'Ops', config };
    expect((await rest('POST', '/dashboard/notification-channels', { token: person.token, body })).status).toBe(201);
  });

  it('receives no more than 20 names for an announcement about 2,000 monitors, if all channels get it', async () => {
    const prefix = newId();
    await db.$executeRaw`
      insert into monitors (id, team_id, type, name, config, interval_seconds)
      select ${prefix} || i, ${person.teamId}, 'http', 'Shop ' || i, '{"url":"https://example.com"}', 60 from generate_series(1, 2000) i`;
    const id = newId();
    await db.maintenanceWindow.create({
      data: {
        id,
        teamId: person.teamId,
        title: 'Update',
        startsAt: soon(30),
        endsAt: soon(60),
        allMonitors: true,
        announceHours: 1,
        notifiesChannels: true,
      },
    });
    expect(await receivedBytes(() => look(id))).toBeLessThan(20_000);
    const first = Array.from({ length: 20 }, () => expect.stringMatching(/^Shop /));
    expect(await announced()).toMatchObject([['maintenance.upcoming', { monitorCount: 2_000, monitorNames: first }]]);
  });

  it('notifies channels before, at the start and at the end, once each, with two workers', async () => {
    const monitor = await make();
    const times = { startsAt: soon(30), endsAt: soon(60) };
    const body = { ...times, monitorIds: [monitor.id], announceHours: 1, notifiesChannels: true };
    const id = await create(body);
    await Promise.all([look(id), look(id)]);
    expect(await announced()).toMatchObject([
      ['maintenance.upcoming', { id, monitorCount: 1, monitorNames: [monitor.name], startsAt: times.startsAt }],
    ]);
    await rest('PUT', `${windows}/${id}`, { token: key, body: { startsAt: soon(-1) } });
    await Promise.all([look(id), look(id)]);
    expect(await events()).toEqual(['maintenance.upcoming', 'maintenance.started']);
    await rest('POST', `${windows}/${id}/end`, { token: key, body: {} });
    await Promise.all([look(id), look(id)]);
    expect(await events()).toEqual(['maintenance.upcoming', 'maintenance.started', 'maintenance.ended']);
  });

  it('sends no announcements to channels for paging', async () => {
    const config = { routingKey: 'a'.repeat(32) };
    const body = { type: 'pagerduty', name: 'Paging', config };
    const made = await rest('POST', '/dashboard/notification-channels', { token: person.token, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const id = await create({
      startsAt: soon(-1),
      endsAt: soon(60),
      monitorIds: [(await make()).id],
      notifiesChannels: true,
    });
    await look(id);
    expect(await events()).toEqual(['maintenance.started']);
  });

  it('says that a running window has ended when it is deleted', async () => {
    const monitor = await make();
    const id = await create({ startsAt: soon(-1), endsAt: soon(60), monitorIds: [monitor.id], notifiesChannels: true });
    await look(id);
    await rest('DELETE', `${windows}/${id}`, { token: key });
    expect(await events()).toEqual(['maintenance.started', 'maintenance.ended']);
  });

  it('say that an announced window is cancelled when it is skipped, and planned when that is undone', async () => {
    // Occurrences of a rule start on whole seconds.
    const startsAt = soon(30).replace(/\.\d+Z/, '.000Z');
    const body = { startsAt, endsAt: soon(60), recurrence: 'FREQ=DAILY', timezone: 'UTC' };
    const monitorIds = [(await make()).id];
    const id = await create({ ...body, monitorIds, announceHours: 1, notifiesChannels: true });
    await look(id);
    for (const verb of ['skip', 'unskip', 'skip']) {
      const change = await rest('POST', `${windows}/${id}/${verb}`, { token: key, body: { startsAt } });
      expect(change.status, JSON.stringify(change.body)).toBe(200);
      await Promise.all([look(id), look(id)]);
    }
    const expected = ['upcoming', 'cancelled', 'upcoming', 'cancelled'].map((kind) => `maintenance.${kind}`);
    expect(await events()).toEqual(expected);
  });

  it('say that an announced window is cancelled when it is deleted', async () => {
    const times = { startsAt: soon(30), endsAt: soon(60) };
    const id = await create({ ...times, monitorIds: [(await make()).id], announceHours: 1, notifiesChannels: true });
    await look(id);
    await rest('DELETE', `${windows}/${id}`, { token: key });
    expect(await announced()).toMatchObject([
      ['maintenance.upcoming', times],
      ['maintenance.cancelled', times],
    ]);
  });

  it('queues the windows of a team one at a time, behind alerts', async () => {
    const monitor = await make();
    const ids = [1, 2].map(() =>
      create({ startsAt: soon(60), endsAt: soon(120), monitorIds: [monitor.id], notifiesChannels: true }),
    );
    const keys = (await Promise.all(ids)).map((id) => `announce-maintenance:${id}`);
    const jobs = await db.$queryRaw<{ queue: string; priority: number }[]>`
      select queue_name as queue, priority from graphile_worker.jobs where key = any(${keys}::text[])`;
    const job = { queue: `maintenance:${person.teamId}`, priority: 10 };
    expect(jobs).toEqual([job, job]);
  });

  it('announces neither start nor end of a window without monitors', async () => {
    const id = await create({ startsAt: soon(-1), endsAt: soon(60), tags: ['later'], notifiesChannels: true });
    await look(id);
    await make();
    await db.monitor.updateMany({ data: { tags: ['later'] } });
    await rest('POST', `${windows}/${id}/end`, { token: key, body: {} });
    await look(id);
    expect(await events()).toEqual([]);
  });

  it('sends no announcements for a window that does not ask for them', async () => {
    const id = await create({ startsAt: soon(-1), endsAt: soon(60), monitorIds: null });
    await look(id);
    expect(await events()).toEqual([]);
  });
});
