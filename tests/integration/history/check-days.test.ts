import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkNow } from '@/server/checks/run/check-now';
import { listCheckDays } from '@/server/history/check-days';
import { keepCheckDays } from '@/server/history/keep-check-days';
import { makeCheckDays } from '@/server/history/make-check-days';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { DAY_MS } from '@/server/time/schema';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { runJob } from '@/tests/support/run-job';
import { makeMonitor, makeTeam } from '../checks/monitors';
import { httpTarget, type Target } from '../checks/targets';

/** Noon, so that no test begins on one day and ends on the next. */
const NOW = new Date((Math.floor(Date.now() / DAY_MS) + 0.5) * DAY_MS);
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const tableOf = (at: Date) => `checks_${at.toISOString().slice(0, 10).replaceAll('-', '')}`;
const identifier = (at: Date) => Prisma.raw(tableOf(at));
const run = () => runJob(keepCheckDays, {}, { now: new Date() });
const stateOf = async (at: Date) => (await listCheckDays()).find(({ table }) => table === tableOf(at))?.state;

let target: Target;
let teamId: string;
beforeAll(async () => {
  // Marks everything as rolled up.
  await db.rollUpMark.create({ data: { hour: Math.floor(Date.now() / 3_600_000) } });
  target = await httpTarget((_request, response) => response.writeHead(200).end());
  teamId = await makeTeam();
});
afterAll(() => target.close());

/** Fixes the date at noon; timers continue. */
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => vi.useRealTimers());

const make = () => makeMonitor(teamId, { url: `http://127.0.0.1:${target.port}/` });
const addCheck = (monitorNum: number, at: Date) =>
  db.check.create({ data: { monitorNum, at, region: 'default', status: 'up' } });

describe('partitions of raw results', () => {
  it('creates partitions a week ahead, in UTC', async () => {
    await run();
    for (let day = 0; day <= 7; day += 1) expect(await stateOf(daysFromNow(day))).toBe('attached');
    const monitor = await make();
    const midnight = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS);
    for (const at of [midnight, new Date(midnight.getTime() - 1)]) {
      await addCheck(monitor.num, at);
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from ${identifier(at)} where monitor_num = ${monitor.num} and at = ${at}`;
      expect(row?.count).toBe(1);
    }
  });

  it('drops whole partitions past their retention, and nothing younger', async () => {
    const monitor = await make();
    const [old, young] = [daysFromNow(-env.rawRetentionDays - 1), daysFromNow(-env.rawRetentionDays)];
    await makeCheckDays([old, young]);
    await addCheck(monitor.num, old);
    await addCheck(monitor.num, young);
    await run();
    expect(await stateOf(old)).toBeUndefined();
    expect(await stateOf(young)).toBe('attached');
    const kept = await db.check.findMany({ where: { monitorNum: monitor.num } });
    expect(kept.map(({ at }) => at)).toEqual([young]);
  });

  it('stay until they are rolled up', async () => {
    const old = daysFromNow(-60);
    await makeCheckDays([old]);
    const hour = Math.floor(old.getTime() / 3_600_000);
    const { hour: rolledUp } = await db.rollUpMark.update({ where: { id: 1 }, data: { hour } });
    await run();
    expect(await stateOf(old)).toBe('attached');
    await db.rollUpMark.update({ where: { id: 1 }, data: { hour: rolledUp + 24 * 60 } });
    await run();
    expect(await stateOf(old)).toBeUndefined();
  });

  it('drops old partitions also if a run was killed half-way', async () => {
    const [old, older] = [daysFromNow(-40), daysFromNow(-41)];
    await makeCheckDays([old, older]);
    await db.$executeRaw`alter table checks detach partition ${identifier(older)}`;
    expect(await stateOf(older)).toBe('loose');
    await run();
    expect([await stateOf(old), await stateOf(older)]).toEqual([undefined, undefined]);
  });

  it('creates partitions by several processes at once', async () => {
    const days = [20, 21, 22, 23].map(daysFromNow);
    await Promise.all([makeCheckDays(days), makeCheckDays(days.toReversed()), makeCheckDays(days), run()]);
    for (const day of days) expect(await stateOf(day)).toBe('attached');
  });

  it('stay if the clock of a worker is months ahead', async () => {
    const young = daysFromNow(-5);
    await makeCheckDays([young]);
    await db.rollUpMark.update({ where: { id: 1 }, data: { hour: Math.floor(daysFromNow(90).getTime() / 3_600_000) } });
    vi.setSystemTime(daysFromNow(60));
    await runJob(keepCheckDays, {});
    vi.setSystemTime(NOW);
    expect(await stateOf(young)).toBe('attached');
  });

  it('lists partitions beyond 19 January 2038', async () => {
    const day = new Date('2038-01-20T00:00:00Z');
    await makeCheckDays([day]);
    const found = (await listCheckDays()).find(({ table }) => table === tableOf(day));
    expect(found).toMatchObject({ from: day, state: 'attached' });
  });

  it('block no check while one is dropped or created', async () => {
    const monitor = await make();
    await makeCheckDays([daysFromNow(-50)]);
    await db
      .$transaction(
        async (tx) => {
          await tx.check.create({ data: { monitorNum: monitor.num, at: new Date(), region: 'here', status: 'up' } });
          // It waits for this transaction to end; a concurrent check does not.
          const dropping = run();
          await expect.poll(() => stateOf(daysFromNow(-50)), { timeout: 10_000 }).toBe('leaving');
          await makeCheckDays([daysFromNow(30)]);
          await addCheck(monitor.num, new Date());
          return { dropping };
        },
        { timeout: 20_000 },
      )
      .then(({ dropping }) => dropping);
    expect(await stateOf(daysFromNow(-50))).toBeUndefined();
    expect(await db.check.count({ where: { monitorNum: monitor.num } })).toBe(2);
  });

  it('creates a missing partition when a result needs it', async () => {
    const monitor = await make();
    await db.$executeRaw`drop table ${identifier(new Date())}`;
    const check = await checkNow(monitor);
    expect(await stateOf(new Date(check.at))).toBe('attached');
    expect(await db.check.count({ where: { monitorNum: monitor.num } })).toBe(1);
  });

  it("are created when a region's result needs a missing one", async () => {
    const regions = [env.region];
    const monitor = await makeMonitor(teamId, { url: `http://127.0.0.1:${target.port}/`, regions });
    await db.$executeRaw`drop table ${identifier(new Date())}`;
    const check = await checkNow(monitor);
    expect(await stateOf(new Date(check.at))).toBe('attached');
    expect(await db.check.count({ where: { monitorNum: monitor.num } })).toBe(1);
  });
});

describe('checks of a monitor', () => {
  it('deletes the checks of a monitor with it or with its team, and no others', async () => {
    const [gone, cascaded, stays] = [
      await make(),
      await makeMonitor(await makeTeam(), { url: 'http://x.test' }),
      await make(),
    ];
    for (const { num } of [gone, cascaded, stays]) await addCheck(num, new Date());
    await db.monitor.delete({ where: { id: gone.id } });
    await db.team.delete({ where: { id: cascaded.teamId } });
    await runJob(removeDeleted, {});
    const left = await db.check.findMany({ where: { monitorNum: { in: [gone.num, cascaded.num, stays.num] } } });
    expect(left.map(({ monitorNum }) => monitorNum)).toEqual([stays.num]);
  });
});
