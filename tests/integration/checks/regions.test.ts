import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkNow } from '@/server/checks/run/check-now';
import { spreadOverdue } from '@/server/checks/schedule/claim';
import { countWorkers } from '@/server/checks/schedule/count-workers';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { scheduleMonitors } from '@/server/checks/schedule/schedule-monitor';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { notifySchedule, stopListening } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
import { makeDue, makeMonitor, makeRegionDue, makeTeam, readRegion, readSpans, readState } from './monitors';
import { httpTarget, type Target } from './targets';

let target: Target;
let teamId: string;
let status = 200;
const running = new Map<string, Scheduler>();

beforeAll(async () => {
  target = await httpTarget((_request, response) => response.writeHead(status).end());
});

beforeEach(async () => {
  teamId = await makeTeam();
  status = 200;
});

afterEach(async () => {
  await Promise.all([...running.values()].map((each) => each.stop(500)));
  running.clear();
  await db.team.deleteMany();
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

function start(...regions: string[]): void {
  for (const region of regions) {
    const scheduler = new Scheduler({ worker: newId(), region, concurrency: 20 });
    running.set(region, scheduler);
    scheduler.start();
  }
}

async function stop(region: string): Promise<void> {
  await running.get(region)?.stop(500);
  running.delete(region);
}

const make = (...regions: string[]) =>
  makeMonitor(teamId, {
    url: `http://127.0.0.1:${target.port}/`,
    config: { confirm: { failures: 2, recoveries: 1, retryDelayMs: 100 } },
    regions,
  });
const becomes = (id: string, wanted: string) =>
  until(async () => (await readState(id)).status === wanted, 10_000, `The monitor being ${wanted}`);
const says = (id: string, region: string, wanted: string) =>
  until(async () => (await readRegion(id, region)).status === wanted, 10_000, `${region} saying ${wanted}`);
const incidents = (monitorId: string) => db.incident.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
const regionsOfChecks = async (num: number) =>
  [...new Set((await db.check.findMany({ where: { monitorNum: num } })).map(({ region }) => region))].sort();

/** A region's next check of the target, with this answer. */
async function look(id: string, region: string, answer: number): Promise<void> {
  status = answer;
  await makeRegionDue(id, region);
  await notifySchedule(db);
  await says(id, region, answer === 200 ? 'up' : 'down');
}

describe('monitor with regions', () => {
  it('is checked in each of them, and nowhere else', async () => {
    const monitor = await make('eu', 'us');
    const plain = await make();
    start('ap');
    await becomes(plain.id, 'up');
    expect(await regionsOfChecks(monitor.num)).toEqual([]);
    start('eu', 'us');
    await becomes(monitor.id, 'up');
    await says(monitor.id, 'eu', 'up');
    await says(monitor.id, 'us', 'up');
    expect(await regionsOfChecks(monitor.num)).toEqual(['eu', 'us']);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up']);
    expect(await readRegion(monitor.id, 'eu')).toMatchObject({ claimedBy: null, claimedUntil: null, lastError: null });
  });

  it('is down while most regions report it down, with one incident', async () => {
    const monitor = await make('ap', 'eu', 'us');
    start('ap', 'eu', 'us');
    for (const region of ['ap', 'eu', 'us']) await says(monitor.id, region, 'up');

    await look(monitor.id, 'eu', 503);
    expect(await readRegion(monitor.id, 'eu')).toMatchObject({ lastError: 'Expected status 200-299, got 503' });
    expect(await readState(monitor.id)).toMatchObject({ status: 'up', lastError: null });
    expect(await incidents(monitor.id)).toEqual([]);

    await look(monitor.id, 'us', 503);
    await becomes(monitor.id, 'down');
    const cause = 'Expected status 200-299, got 503 (2 of 3 regions: eu, us)';
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'open', cause }]);
    expect((await readState(monitor.id)).lastError).toBe(cause);
    await look(monitor.id, 'ap', 503);
    expect(await incidents(monitor.id)).toHaveLength(1);

    await look(monitor.id, 'ap', 200);
    expect(await readState(monitor.id)).toMatchObject({ status: 'down' });
    await look(monitor.id, 'us', 200);
    await becomes(monitor.id, 'up');
    expect(await incidents(monitor.id)).toMatchObject([{ status: 'resolved' }]);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up', 'down', 'up']);
  });

  it('is not down after the first region alone', async () => {
    const monitor = await make('ap', 'eu', 'us');
    status = 503;
    start('eu');
    await says(monitor.id, 'eu', 'down');
    expect(await readState(monitor.id)).toMatchObject({ status: 'pending' });
    status = 200;
    start('ap', 'us');
    await becomes(monitor.id, 'up');
    expect(await incidents(monitor.id)).toEqual([]);
    expect(await readRegion(monitor.id, 'eu')).toMatchObject({ status: 'down' });
  });

  it('opens one incident if all regions fail at once', async () => {
    const monitors = await Promise.all(Array.from({ length: 8 }, () => make('ap', 'eu', 'us')));
    status = 503;
    start('ap', 'eu', 'us');
    for (const { id } of monitors) {
      await becomes(id, 'down');
      for (const region of ['ap', 'eu', 'us']) await says(id, region, 'down');
      expect(await incidents(id)).toHaveLength(1);
    }
  });
});

describe('silent region', () => {
  /** Makes the region's last check so old that it no longer counts. */
  async function silence(id: string, region: string): Promise<void> {
    const long = new Date(Date.now() - 3 * 3_600_000);
    await db.monitorState.update({
      where: { monitorId_region: { monitorId: id, region } },
      data: { lastCheckedAt: long, dueAt: null },
    });
  }

  it('loses its vote, and the others continue', async () => {
    const monitor = await make('ap', 'eu', 'us');
    start('ap', 'eu', 'us');
    for (const region of ['ap', 'eu', 'us']) await says(monitor.id, region, 'up');
    await look(monitor.id, 'eu', 503);
    await stop('us');
    await silence(monitor.id, 'us');
    const { lastCheckedAt } = await readRegion(monitor.id, 'ap');
    status = 200;
    await makeRegionDue(monitor.id, 'ap');
    await notifySchedule(db);
    const isLater = async () => Number((await readRegion(monitor.id, 'ap')).lastCheckedAt) > Number(lastCheckedAt);
    await until(isLater);
    expect(await readState(monitor.id)).toMatchObject({ status: 'up' });
    await look(monitor.id, 'ap', 503);
    await becomes(monitor.id, 'down');
    expect(await incidents(monitor.id)).toMatchObject([
      { cause: 'Expected status 200-299, got 503 (2 of 2 regions: ap, eu)' },
    ]);
  });

  it('leaves the decision to the others once its last check no longer counts', async () => {
    const monitor = await make('eu', 'us');
    start('eu', 'us');
    for (const region of ['eu', 'us']) await says(monitor.id, region, 'up');
    await look(monitor.id, 'eu', 503);
    expect(await readState(monitor.id)).toMatchObject({ status: 'up' });
    await stop('us');
    await silence(monitor.id, 'us');
    await makeDue(monitor.id);
    await becomes(monitor.id, 'down');
    expect(await incidents(monitor.id)).toMatchObject([{ cause: 'Expected status 200-299, got 503' }]);
  });

  it('turns the monitor unknown if all are silent, which opens and keeps no incident', {
    timeout: 60_000,
  }, async () => {
    const monitor = await make('eu', 'us');
    start('eu', 'us');
    for (const region of ['eu', 'us']) await says(monitor.id, region, 'up');
    await stop('eu');
    await stop('us');
    for (const region of ['eu', 'us']) await silence(monitor.id, region);
    await db.$executeRaw`
      update status_spans set started_at = started_at - interval '1 day', ended_at = ended_at - interval '1 day'`;
    await db.$executeRaw`
      update monitor_states set status_since = status_since - interval '1 day', last_checked_at = now() - interval '3 h'
      where region = ''`;
    await makeDue(monitor.id);
    start('ap');
    await becomes(monitor.id, 'unknown');
    expect(await readState(monitor.id)).toMatchObject({ dueAt: null, claimedBy: null });
    expect((await readState(monitor.id)).lastError).toBe('No region has checked this monitor recently');
    expect(await incidents(monitor.id)).toEqual([]);
    expect(await regionsOfChecks(monitor.num)).toEqual(['eu', 'us']);
    await makeRegionDue(monitor.id, 'eu');
    start('eu');
    // A worker that starts spreads overdue checks over half a minute.
    await until(async () => (await readState(monitor.id)).status === 'up', 40_000);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up', 'unknown', 'up']);
  });
});

describe('regions of a monitor', () => {
  it('can be changed during a check: the result of an old claim does not count', async () => {
    const monitor = await make('eu');
    start('eu', 'us');
    await becomes(monitor.id, 'up');
    const notifiedAt = Date.now();
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from monitor_states where monitor_id = ${monitor.id} and region = '' for update`;
      const data = { regions: ['us'], version: { increment: 1 } };
      await tx.monitor.update({ where: { id: monitor.id }, data });
      await scheduleMonitors(tx, [{ monitorId: monitor.id, teamId, regions: ['us'], dueAt: new Date() }], {
        afresh: false,
      });
      await notifySchedule(tx);
    });
    await says(monitor.id, 'us', 'up');
    expect(Date.now() - notifiedAt).toBeLessThan(2_000);
    expect(await db.monitorState.findMany({ where: { monitorId: monitor.id, region: { not: '' } } })).toHaveLength(1);
  });

  it('checks the regions of a monitor by Check now; this process has no vote unless it is in one', async () => {
    const monitor = await make('eu');
    start('eu');
    await becomes(monitor.id, 'up');
    const { lastCheckedAt } = await readRegion(monitor.id, 'eu');
    status = 503;
    expect(await checkNow(monitor)).toMatchObject({ status: 'down', region: 'default' });
    await says(monitor.id, 'eu', 'down');
    expect((await readRegion(monitor.id, 'eu')).lastCheckedAt).not.toEqual(lastCheckedAt);
    expect(await regionsOfChecks(monitor.num)).toEqual(['eu']);

    const here = await make('default');
    await until(async () => {
      await checkNow(here);
      return (await readState(here.id)).status === 'down';
    });
    expect(await regionsOfChecks(here.num)).toEqual(['default']);
  });
});

describe('workers of a region', () => {
  it('counts the workers of a region while they run', async () => {
    await db.worker.create({ data: { id: newId(), region: 'gone', seenAt: new Date(Date.now() - 3_600_000) } });
    start('eu', 'us');
    await until(async () => (await countWorkers(db)).size === 2);
    expect(await countWorkers(db)).toEqual(
      new Map([
        ['eu', 1],
        ['us', 1],
      ]),
    );
    await until(async () => (await db.worker.count()) === 2);
    await stop('us');
    expect(await countWorkers(db)).toEqual(new Map([['eu', 1]]));
  });
});

describe('after a pause of a region', () => {
  it('spreads overdue checks in that region alone', async () => {
    const monitors = await Promise.all(Array.from({ length: 12 }, () => make('eu', 'us')));
    const hourAgo = new Date(Date.now() - 3_600_000);
    const ofRegions = { region: { not: '' } };
    await db.monitorState.updateMany({ where: ofRegions, data: { dueAt: hourAgo, lastCheckedAt: hourAgo } });
    const [failing, recovering] = monitors.map(({ id }) => ({ monitorId: id, region: 'eu' }));
    const turnedAt = hourAgo;
    await db.monitorState.updateMany({ where: failing ?? {}, data: { failures: 2, turnedAt } });
    await db.monitorState.updateMany({ where: recovering ?? {}, data: { recoveries: -3, turnedAt } });
    await spreadOverdue('eu');
    const waits = async (region: string) =>
      (await db.monitorState.findMany({ where: { region } })).map(({ dueAt }) => Number(dueAt) - Date.now());
    const eu = (await waits('eu')).sort((a, b) => a - b);
    for (const wait of eu.slice(0, 2)) expect(wait).toBeLessThan(-3_000_000);
    for (const wait of eu.slice(2)) expect(Math.abs(wait - 15_000)).toBeLessThan(25_000);
    expect((eu.at(-1) ?? 0) - (eu[2] ?? 0)).toBeGreaterThan(10_000);
    for (const wait of await waits('us')) expect(wait).toBeLessThan(-3_000_000);
  });
});
