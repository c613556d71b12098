import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announceWindow } from '@/server/maintenance/announce-window';
import { db } from '@/server/platform/db';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { isInside } from '@/server/time/edges';
import { httpMonitor, join, makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { readState } from '../checks/monitors';

const WINDOWS = '/api/v1/maintenance-windows';
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Rules have no fractions of seconds. */
const soon = (ms: number) => new Date(Math.ceil((Date.now() + ms) / 1000) * 1000).toISOString();
const plus = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

let person: Person;
let key: string;
let monitorId: string;
beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
  const made = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() });
  monitorId = made.body.monitor.id;
});
const clear = async () => {
  await db.maintenanceWindow.deleteMany();
  await db.maintenancePeriod.deleteMany();
};
beforeEach(clear);

const post = (path: string, body: object, token = key) => rest('POST', `${WINDOWS}${path}`, { token, body });
/** A window that lasts an hour every day, an hour from now first. */
async function daily(body: object = {}) {
  const startsAt = soon(60 * MINUTE_MS);
  const times = { startsAt, endsAt: plus(startsAt, 60 * MINUTE_MS), recurrence: 'FREQ=DAILY' };
  const answer = await post('', { title: 'Backup', ...times, monitorIds: [monitorId], ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.maintenanceWindow;
}
const skip = (id: string, startsAt: string, token = key) => post(`/${id}/skip`, { startsAt }, token);
const unskip = (id: string, startsAt: string, token = key) => post(`/${id}/unskip`, { startsAt }, token);
const isPlanned = async (at: string) =>
  isInside((await readState(monitorId)).maintenance, new Date(Date.parse(at) + MINUTE_MS));
const preview = async ({ id, startsAt, endsAt, recurrence }: Record<string, string>) => {
  const query = `id=${id}&startsAt=${startsAt}&endsAt=${endsAt}&recurrence=${recurrence}`;
  const { body } = await rest('GET', `/api/v1/maintenance-preview?${query}`, { token: key });
  return body.occurrences.map((each: { startsAt: string }) => each.startsAt);
};

describe('a skipped occurrence', () => {
  it('does not take place, while those before and after it do, until the skip is undone', async () => {
    const window = await daily();
    const [first, second, third] = [0, 1, 2].map((days) => plus(window.startsAt, days * DAY_MS)) as [
      string,
      string,
      string,
    ];
    expect(await Promise.all([first, second, third].map(isPlanned))).toEqual([true, true, true]);

    const skipped = (await skip(window.id, second)).body.maintenanceWindow;
    expect(skipped.skipped).toEqual([{ startsAt: second, endsAt: plus(second, 60 * MINUTE_MS) }]);
    expect(await Promise.all([first, second, third].map(isPlanned))).toEqual([true, false, true]);
    expect((await preview(window)).slice(0, 2)).toEqual([first, third]);
    const { body } = await rest('GET', '/api/v1/maintenance-occurrences', { token: key });
    const starts = body.occurrences.map((each: { startsAt: string }) => each.startsAt);
    expect([starts.includes(first), starts.includes(second), starts.includes(third)]).toEqual([true, false, true]);

    const again = (await unskip(window.id, second)).body.maintenanceWindow;
    expect(again.skipped).toEqual([]);
    expect(await isPlanned(second)).toBe(true);
    expect((await preview(window)).slice(0, 2)).toEqual([first, second]);
  });

  it('is not the next one, also beyond what is planned ahead', async () => {
    const window = await daily();
    const far = plus(window.startsAt, 30 * DAY_MS);
    await skip(window.id, far);
    const after = (await skip(window.id, window.startsAt)).body.maintenanceWindow;
    expect(after.next.startsAt).toBe(plus(window.startsAt, DAY_MS));
    expect(after.skipped.map((each: { startsAt: string }) => each.startsAt)).toEqual([window.startsAt, far]);
  });

  it('is skipped again without a change, and writes one audit entry however many skip it at once', async () => {
    const window = await daily();
    const answers = await Promise.all(Array.from({ length: 5 }, () => skip(window.id, window.startsAt)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const entries = await db.auditEntry.findMany({ where: { targetId: window.id, action: 'maintenance_window.skip' } });
    expect(entries).toMatchObject([{ before: { skipped: [] }, after: { skipped: [{ startsAt: window.startsAt }] } }]);
    await Promise.all([unskip(window.id, window.startsAt), unskip(window.id, window.startsAt)]);
    const undone = { targetId: window.id, action: 'maintenance_window.unskip' };
    expect(await db.auditEntry.count({ where: undone })).toBe(1);
  });

  it('is kept beside others that are skipped at the same time', async () => {
    const window = await daily();
    const starts = [0, 1, 2, 3].map((days) => plus(window.startsAt, days * DAY_MS));
    await Promise.all(starts.map((start) => skip(window.id, start)));
    const { body } = await rest('GET', `${WINDOWS}/${window.id}`, { token: key });
    expect(body.maintenanceWindow.skipped.map((each: { startsAt: string }) => each.startsAt)).toEqual(starts);
  });

  it('stays skipped through an edit by which it still starts then, and not through others', async () => {
    const window = await daily();
    const second = plus(window.startsAt, DAY_MS);
    await skip(window.id, second);
    const put = async (body: object) =>
      (await rest('PUT', `${WINDOWS}/${window.id}`, { token: key, body })).body.maintenanceWindow.skipped;
    expect(await put({ endsAt: plus(window.endsAt, MINUTE_MS), title: 'Longer backup' })).toEqual([
      { startsAt: second, endsAt: plus(second, 61 * MINUTE_MS) },
    ]);
    expect(await isPlanned(second)).toBe(false);
    expect(await put({ startsAt: plus(window.startsAt, MINUTE_MS) })).toEqual([]);
    expect(await isPlanned(second)).toBe(true);
  });

  it.each([
    ['has started', { startsAt: soon(-MINUTE_MS), endsAt: soon(MINUTE_MS) }, 0, 'startsAt', 'can only be ended'],
    ['is over', { startsAt: soon(-2 * DAY_MS), endsAt: soon(-2 * DAY_MS + MINUTE_MS) }, 0, 'startsAt', 'is over'],
    ['is none of the window', {}, MINUTE_MS, 'startsAt', 'starts at this time'],
    ['does not repeat', { recurrence: null }, 0, 'id', 'does not repeat'],
  ])('is refused where it %s', async (_name, changes, ms, path, message) => {
    const window = await daily(changes);
    for (const act of [skip, ...(ms === 0 && path === 'startsAt' ? [] : [unskip])]) {
      const { status, body } = await act(window.id, plus(window.startsAt, ms));
      expect([status, body.error.issues[0].path]).toEqual([400, path]);
      expect(body.error.issues[0].message).toContain(message);
    }
    expect(await db.auditEntry.count({ where: { targetId: window.id } })).toBe(1);
  });

  it('is refused for another team, a viewer and a read-only key', async () => {
    const window = await daily();
    const viewer = await join(person, 'viewer');
    const answers = await Promise.all(
      [(await signUp()).token, viewer.token, await makeKey(person, ['read'])].flatMap((token) => [
        skip(window.id, window.startsAt, token),
        unskip(window.id, window.startsAt, token),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 403, 403, 403]);
  });

  it('is either skipped or runs, whenever within the last moments before its start it is skipped', async () => {
    for (let round = 0; round < 3; round += 1) {
      const window = await daily({ startsAt: soon(700), endsAt: soon(60 * MINUTE_MS) });
      const start = Date.parse(window.startsAt);
      const waits = [-300, -20, -5, 0, 5, 20].map((ms) => Math.max(0, start + ms - Date.now()));
      const first = waits.slice(round * 2);
      const answers = await Promise.all(
        first.map(async (ms) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          return skip(window.id, window.startsAt);
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + 50 - Date.now())));
      const isSkipped = answers.some(({ status }) => status === 200);
      expect(isInside((await readState(monitorId)).maintenance, new Date())).toBe(!isSkipped);
      for (const { status, body } of answers.filter((each) => each.status !== 200)) {
        expect([status, body.error.issues[0].message]).toEqual([
          400,
          'This occurrence has started: it can only be ended.',
        ]);
      }
      await clear();
    }
  });
});

describe('status pages and channels', () => {
  it('have the next occurrence instead of a skipped one', async () => {
    const page = { slug: 'northwind', title: 'Northwind', monitorIds: [monitorId] };
    expect((await rest('POST', '/dashboard/status-pages', { token: person.token, body: page })).status).toBe(201);
    const hook = { type: 'webhook', name: 'Ops', config: { url: 'http://127.0.0.1:9/' } };
    expect((await rest('POST', '/dashboard/notification-channels', { token: person.token, body: hook })).status).toBe(
      201,
    );
    const window = await daily({ notifiesChannels: true });
    const second = plus(window.startsAt, DAY_MS);
    const announced = async () => {
      await runJob(announceWindow, { windowId: window.id });
      const rows = await db.delivery.findMany({ where: { teamId: person.teamId }, orderBy: { createdAt: 'asc' } });
      return rows.map(({ event, payload }) => [
        event,
        (payload as { data: { maintenance: { startsAt: string } } }).data.maintenance.startsAt,
      ]);
    };
    const onPage = async () =>
      (await readPublicPage(db, 'northwind'))?.page.maintenances.map(({ startsAt }) => startsAt);
    expect(await onPage()).toEqual([window.startsAt]);
    expect(await announced()).toEqual([['maintenance.upcoming', window.startsAt]]);

    await skip(window.id, window.startsAt);
    expect(await onPage()).toEqual([second]);
    const expected = [
      ['maintenance.upcoming', window.startsAt],
      ['maintenance.cancelled', window.startsAt],
      ['maintenance.upcoming', second],
    ];
    expect(await announced()).toEqual(expected);

    await unskip(window.id, window.startsAt);
    expect(await onPage()).toEqual([window.startsAt]);
    const again = ['maintenance.upcoming', window.startsAt];
    expect(await announced(), 'what was cancelled is announced again').toEqual([...expected, again]);
    expect(await announced(), 'nothing is announced twice').toEqual([...expected, again]);
  });
});
