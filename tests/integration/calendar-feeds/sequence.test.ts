import { beforeEach, expect, it } from 'vitest';
import { maintenanceFeed, onCallFeed } from '@/server/api/calendar-feed';
import { db } from '@/server/platform/db';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { call, join, type Person, signUp } from '@/tests/support/rest';
import { acceptAs, tokenOf } from '../teams/support';

// Calendars update an event only if its SEQUENCE (RFC 5545) is higher than the known one.

const WINDOWS = '/api/v1/maintenance-windows';
const SCHEDULES = '/api/v1/on-call/schedules';
let owner: Person;
let member: Person;

beforeEach(async () => {
  owner = await signUp('Ada');
  await db.team.update({ where: { id: owner.teamId }, data: { plan: 'self_hosted' } });
  member = await join(owner, 'member');
});

/** The highest and only SEQUENCE of a calendar. */
async function sequenceOf(url: string): Promise<number> {
  const read = url.includes('/api/on-call/') ? onCallFeed : maintenanceFeed;
  const text = await (await read(new Request(url))).text();
  const found = new Set([...text.matchAll(/^SEQUENCE:(\d+)\r$/gm)].map(([, sequence]) => Number(sequence)));
  expect([...found]).toHaveLength(1);
  return Math.max(...found);
}

/** Makes changes one after the other, within less than a second of each other, and expects a higher number after each. */
async function expectHigher(url: string, changes: [string, () => Promise<unknown>][]): Promise<void> {
  let last = await sequenceOf(url);
  for (const [name, change] of changes) {
    await change();
    const next = await sequenceOf(url);
    expect(next, name).toBeGreaterThan(last);
    last = next;
  }
}

const later = (ms: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + ms).toISOString();

it('rises with each change of a maintenance window', async () => {
  const times = { startsAt: later(-HOUR_MS), endsAt: later(HOUR_MS), recurrence: 'FREQ=DAILY' };
  const { id } = (await call(owner, 'POST', WINDOWS, { title: 'Backup', ...times })).maintenanceWindow;
  const { url } = await call(owner, 'POST', '/api/v1/me/calendar-feeds', { kind: 'maintenance' });
  const path = `${WINDOWS}/${id}`;
  const startsAt = new Date(Date.parse(times.startsAt) + DAY_MS).toISOString();
  await expectHigher(url, [
    ['title', () => call(owner, 'PUT', path, { title: 'Backups' })],
    ['end', () => call(owner, 'PUT', path, { endsAt: later(2 * HOUR_MS) })],
    ['skip', () => call(owner, 'POST', `${path}/skip`, { startsAt })],
    ['unskip', () => call(owner, 'POST', `${path}/unskip`, { startsAt })],
    ['extend', () => call(owner, 'POST', `${path}/extend`, { minutes: 30 })],
    ['end now', () => call(owner, 'POST', `${path}/end`)],
  ]);
});

it('rises with each change of a schedule, of its overrides and of who is a member', async () => {
  const layer = { name: 'Primary', userIds: [owner.userId, member.userId], rotation: { unit: 'days', every: 1 } };
  const layers = [{ ...layer, startDate: '2026-01-05', handoverTime: '08:00' }];
  const { schedule } = await call(owner, 'POST', SCHEDULES, { name: 'Payments', layers });
  const path = `${SCHEDULES}/${schedule.id}`;
  const { url } = await call(owner, 'POST', '/api/v1/me/calendar-feeds', { scheduleId: schedule.id });
  const { updatedAt } = await db.onCallSchedule.findUniqueOrThrow({ where: { id: schedule.id } });
  let override = '';
  await expectHigher(url, [
    [
      'create override',
      async () => {
        const body = { userId: owner.userId, startsAt: later(HOUR_MS), endsAt: later(DAY_MS) };
        override = (await call(owner, 'POST', `${path}/overrides`, body)).override.id;
      },
    ],
    ['update override', () => call(owner, 'PATCH', `${path}/overrides/${override}`, { userId: member.userId })],
    ['delete override', () => call(owner, 'DELETE', `${path}/overrides/${override}`)],
    ['remove member', () => call(owner, 'DELETE', `/dashboard/team/members/${member.userId}`)],
    ['member again', async () => acceptAs(member, await tokenOf(owner))],
  ]);
  // An open form of the schedule can still be saved, because none of this changed the edited fields.
  expect((await db.onCallSchedule.findUniqueOrThrow({ where: { id: schedule.id } })).updatedAt).toEqual(updatedAt);
  await expectHigher(url, [
    ['layers', () => call(owner, 'PUT', path, { layers: [{ ...layers[0], handoverTime: '09:00' }] })],
  ]);
});

it('rises by each of several changes at once', async () => {
  const window = { title: 'Move', startsAt: later(DAY_MS), endsAt: later(2 * DAY_MS) };
  const { id } = (await call(owner, 'POST', WINDOWS, window)).maintenanceWindow;
  const readRow = () => db.maintenanceWindow.findUniqueOrThrow({ where: { id }, select: { sequence: true } });
  const { sequence } = await readRow();
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => call(owner, 'PUT', `${WINDOWS}/${id}`, { title: `Move ${index}` })),
  );
  expect(await readRow()).toEqual({ sequence: sequence + 8 });
});
