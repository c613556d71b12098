import { afterAll, beforeAll, expect, it } from 'vitest';
import { bringBack } from '@/server/checks/schedule/claim';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { ownState } from '@/tests/support/own-state';
import { until } from '@/tests/support/receivers';
import { makeMonitor, makeTeam, readSpans, readState } from './monitors';
import { httpTarget, type Target } from './targets';

const HOUR_MS = 3_600_000;
const url = () => `http://127.0.0.1:${target.port}/`;

let target: Target;
let teamId: string;
let status = 200;
beforeAll(async () => {
  target = await httpTarget((_request, response) => response.writeHead(status).end());
  teamId = await makeTeam();
});
afterAll(async () => {
  await stopListening();
  await target.close();
});

/** A monitor that was checked before the clock was set back by an hour. */
async function checkedBefore({ regions = [] as string[] } = {}) {
  const monitor = await makeMonitor(teamId, {
    url: url(),
    intervalSeconds: 5,
    regions,
    config: { confirm: { retryDelayMs: 200 } },
  });
  const lastCheckedAt = new Date(Date.now() + HOUR_MS);
  const seen = { status: 'up', lastCheckedAt, dueAt: new Date(lastCheckedAt.getTime() + 5_000) } as const;
  const statusSince = new Date(Date.now() + HOUR_MS / 2);
  await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data: { ...seen, statusSince } });
  await db.statusSpan.deleteMany({ where: { monitorNum: monitor.num } });
  await db.statusSpan.create({ data: { monitorNum: monitor.num, startedAt: statusSince, status: 'up' } });
  return monitor;
}

it.each([
  ['monitors', []],
  ['a region’s monitors', ['here']],
])(
  'checks %s and opens an incident after the clock was set back',
  async (_what, regions) => {
    status = 200;
    const monitor = await checkedBefore({ regions });
    const scheduler = new Scheduler({ worker: newId(), region: 'here', concurrency: 10 });
    scheduler.start();
    try {
      await until(async () => Number((await readState(monitor.id)).lastCheckedAt) < Date.now(), 8_000, 'A check');
      status = 503;
      await until(async () => (await readState(monitor.id)).status === 'down', 14_000, 'The monitor being down');
    } finally {
      await scheduler.stop(500);
    }
    expect(await db.incident.findMany({ where: { monitorId: monitor.id } })).toMatchObject([{ status: 'open' }]);
    expect((await readSpans(monitor.num)).at(-1)).toBe('down');
    await db.monitor.delete({ where: { id: monitor.id } });
  },
  30_000,
);

it('changes nothing that is not in the future', async () => {
  const monitor = await makeMonitor(teamId, { url: url() });
  const lastCheckedAt = new Date(Date.now() + 2_000);
  const dueAt = new Date(Date.now() + 30 * HOUR_MS);
  await db.monitorState.update({ where: ownState(monitor.id), data: { lastCheckedAt, dueAt } });
  const before = await readState(monitor.id);
  expect(await bringBack()).toBe(0);
  expect(await readState(monitor.id)).toEqual(before);
});

it("moves a heartbeat's deadline with its last ping", async () => {
  const monitor = await makeMonitor(teamId, { url: url() });
  const pingedAt = new Date(Date.now() + HOUR_MS);
  await db.monitorState.update({
    where: ownState(monitor.id),
    data: { lastCheckedAt: pingedAt, expectedSince: pingedAt, dueAt: new Date(pingedAt.getTime() + 60_000) },
  });
  expect(await bringBack()).toBe(1);
  const { lastCheckedAt, expectedSince, dueAt } = await readState(monitor.id);
  expect(Math.abs(Number(lastCheckedAt) - Date.now())).toBeLessThan(5_000);
  expect([Number(expectedSince), Number(dueAt)]).toEqual([Number(lastCheckedAt), Number(lastCheckedAt) + 60_000]);
});
