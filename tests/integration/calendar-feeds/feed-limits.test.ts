import { beforeAll, expect, it, vi } from 'vitest';
import { maintenanceFeed, onCallFeed } from '@/server/api/calendar-feed';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { type Person, rest, signUp } from '@/tests/support/rest';

const LIMIT = 40;
vi.hoisted(() => {
  process.env.RATE_LIMIT_PER_MINUTE = '40';
});

const DAY_MS = 86_400_000;
let owner: Person;
beforeAll(async () => {
  owner = await signUp('Ada');
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
});

const call = async (path: string, body: object) => (await rest('POST', path, { token: owner.token, body })).body;
const create = async (body: object): Promise<string> => (await call('/api/v1/me/calendar-feeds', body)).url;
const read = (url: string, headers: Record<string, string> = {}) => {
  const answer = url.includes('/api/on-call/') ? onCallFeed : maintenanceFeed;
  return answer(new Request(url, { headers }));
};
const layer = (index: number) => ({
  name: `Layer ${index}`,
  userIds: [owner.userId],
  rotation: { unit: 'hours', every: 1 },
  startDate: '1970-01-01',
  handoverTime: '00:00',
});
const startsOf = (text: string) => [...text.matchAll(/DTSTART:(\S+)/g)].map(([, start]) => start ?? '').sort();

it('limits the reads of each feed, wherever they come from', async () => {
  const [url, other] = [await create({ kind: 'maintenance' }), await create({ kind: 'maintenance' })];
  const answers: Response[] = [];
  for (let count = 0; count < LIMIT + 5; count += 1) {
    answers.push(await read(url, { 'x-upwatch-address': `203.0.${count}.7` }));
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array(LIMIT).fill(200), ...Array(5).fill(429)]);
  const [refused] = answers.slice(-1) as [Response];
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refused.json()).error.code).toBe('RATE_LIMITED');
  expect((await read(other)).status).toBe(200);
});

it('answers 304 to a program that has the calendar, until it changes', async () => {
  const url = await create({ kind: 'maintenance' });
  const first = await read(url);
  expect(first.headers.get('cache-control')).toBe('private, max-age=60');
  const etag = first.headers.get('etag') ?? '';
  const same = await read(url, { 'if-none-match': `W/${etag}` });
  expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
  const startsAt = new Date(Date.now() + DAY_MS).toISOString();
  const endsAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
  await call('/api/v1/maintenance-windows', { title: 'Move', startsAt, endsAt });
  expect((await read(url, { 'if-none-match': etag })).status).toBe(200);
});

it('computes a calendar once for reads at the same time', async () => {
  const url = await create({ kind: 'maintenance' });
  const reads = vi.spyOn(db.maintenanceWindow, 'findMany');
  const answers = await Promise.all(Array.from({ length: 10 }, () => read(url)));
  expect(new Set(answers.map((answer) => answer.headers.get('etag'))).size).toBe(1);
  expect(reads.mock.calls.length).toBeLessThan(10);
  reads.mockRestore();
});

it('has the next 2,000 shifts of a schedule that changes every hour', async () => {
  const user = await signUp('Eve');
  await db.membership.create({ data: { teamId: owner.teamId, userId: user.userId, role: 'member' } });
  const layers = [{ ...layer(0), userIds: [owner.userId, user.userId] }];
  const { schedule } = await call('/api/v1/on-call/schedules', { name: 'Hourly', timezone: 'UTC', layers });
  const text = await (await read(await create({ scheduleId: schedule.id }))).text();
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString().slice(0, 13).replace(/-/g, '');
  expect(startsOf(text)).toHaveLength(2_000);
  expect(startsOf(text)[0]).toBe(`${hour}0000Z`);
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
});

it('computes about 10,000 shifts for a member of 200 schedules, the nearest ones', async () => {
  const other = await signUp('Bob');
  await db.membership.create({ data: { teamId: owner.teamId, userId: other.userId, role: 'member' } });
  const layers = [0, 30].map((minute) => ({
    ...layer(minute),
    restrictions: [],
    userIds: [owner.userId, other.userId],
    handoverTime: `00:${minute === 0 ? '00' : '30'}`,
  }));
  await db.onCallSchedule.createMany({
    data: Array.from({ length: 200 }, (_value, index) => ({
      id: newId(),
      teamId: owner.teamId,
      name: `Dense ${index}`,
      timezone: 'UTC',
      layers,
    })),
  });
  const text = await (await read(await create({}))).text();
  const starts = startsOf(text);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const last = new Date(today + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  expect(starts.length).toBeGreaterThan(200);
  expect(starts.length).toBeLessThanOrEqual(2_000);
  expect((starts.at(-1) ?? '') <= `${last}T000000Z`).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
});
