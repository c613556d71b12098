import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rollUpHistory } from '@/server/history/roll-up-history';
import { hourOf } from '@/server/history/time';
import { db } from '@/server/platform/db';
import { HOUR_MS } from '@/server/time/schema';
import { runJob } from '@/tests/support/run-job';
import { makeMonitors, makeTeam } from '../checks/monitors';

const now = new Date();
const run = (at = now) => runJob(rollUpHistory, {}, { now: at });
const hour = hourOf(now);

// Each monitor is rebuilt with a pause as long as the work.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(async () => {
  await db.$executeRaw`create table rebuilt (at serial, num int)`;
  await db.$executeRaw`create function note_rebuilt() returns trigger language plpgsql as $$
    begin insert into rebuilt (num) values (old.monitor_num); return null; end $$`;
  await db.$executeRaw`create trigger note_rebuilt after delete on stale_roll_ups for each row execute function note_rebuilt()`;
  await db.rollUpMark.create({ data: { hour: hourOf(now) } });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await db.$executeRaw`drop trigger note_rebuilt on stale_roll_ups`;
  await db.$executeRaw`drop function note_rebuilt`;
  await db.$executeRaw`drop table rebuilt`;
  await db.team.deleteMany();
  await db.staleRollUp.deleteMany();
  await db.rollUpMark.deleteMany();
});

/** Creates monitors of a new team, whose roll-ups of the last hours are stale, and returns their numbers. */
async function makeStale(count: number): Promise<number[]> {
  const settings = { url: 'http://shop.test/', intervalSeconds: 60 };
  const monitors = await makeMonitors(await makeTeam(), Array(count).fill(settings));
  await db.staleRollUp.createMany({ data: monitors.map(({ num }) => ({ monitorNum: num, hour })) });
  return monitors.map(({ num }) => num).sort((a, b) => a - b);
}

/** The numbers of the monitors that were rebuilt, in order. */
const rebuilt = async () =>
  (await db.$queryRaw<{ num: number }[]>`select num from rebuilt order by at`).map(({ num }) => num);

it('rebuilds stale roll-ups by team in turns, a hundred monitors at once', async () => {
  const large = await makeStale(120);
  const small = await makeStale(2);
  const read = vi.spyOn(db.monitor, 'findMany');
  await run();
  const order = await rebuilt();
  expect(order.toSorted((a, b) => a - b)).toEqual([...large, ...small]);
  expect(small.map((num) => order.indexOf(num)).every((index) => index < 4)).toBe(true);
  const sizes = read.mock.calls.map(([query]) => (query?.where?.num as { in?: number[] })?.in?.length ?? 0);
  expect(Math.max(...sizes)).toBe(100);
});

it('skips marks of deleted monitors', async () => {
  await db.staleRollUp.create({ data: { monitorNum: 2_000_000_000, hour } });
  const [num] = await makeStale(1);
  await run();
  expect(await rebuilt()).toEqual([num]);
});

it('ends after some minutes, and rolls up new hours before it continues', async () => {
  const nums = await makeStale(3);
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  await run(new Date(now.getTime() + HOUR_MS));
  expect(timeout).toHaveBeenCalledWith(240_000);
  expect(await rebuilt()).toEqual([]);
  expect(await db.rollUpMark.findUnique({ where: { id: 1 } })).toMatchObject({ hour: hourOf(now) + 1 });
  timeout.mockRestore();
  await run(new Date(now.getTime() + HOUR_MS));
  expect(await rebuilt()).toEqual(nums);
});
