import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alone, bundles } from '@/scripts/lib/prepare.mjs';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { nextDue } from '@/server/time/phase';
import { makeMonitors, makeTeam } from '@/tests/integration/checks/monitors';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { endWorker, startWorker } from './workers';

// A worker on a sleeping laptop: all of its clocks stop. Compared with the database's record.

const MONITORS = 200;
const INTERVAL_SECONDS = 10;
const PAUSE_MS = 30_000;
const PATIENCE_MS = 60_000;
/** The error of the worker's estimate of the database's clock. */
const CLOCK_MS = 250;

let worker: ChildProcess;
let target: HttpReceiver;
let monitors: Monitor[];
let resumedAt: Date;

async function databaseNow(): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  return row?.now ?? new Date(Number.NaN);
}

const allCheckedSince = (since: Date) => async () =>
  (await db.monitorState.count({ where: { lastCheckedAt: { gt: since } } })) === MONITORS;

const checksSince = (since: Date) => db.check.findMany({ where: { at: { gte: since } }, orderBy: { at: 'asc' } });

beforeAll(async () => {
  await alone(bundles);
  target = await startHttpReceiver();
  const url = `${target.url}/`;
  monitors = await makeMonitors(
    await makeTeam(),
    Array.from({ length: MONITORS }, () => ({ url, intervalSeconds: INTERVAL_SECONDS })),
  );
  worker = startWorker();
  await until(allCheckedSince(new Date(0)), PATIENCE_MS, 'The first check of every monitor');
  // Waits until the schedule is regular, with monitors at different times.
  await until(allCheckedSince(await databaseNow()), PATIENCE_MS, 'The next check of every monitor');
  worker.kill('SIGSTOP');
  await sleep(PAUSE_MS);
  resumedAt = await databaseNow();
  worker.kill('SIGCONT');
  await until(allCheckedSince(resumedAt), PATIENCE_MS, 'A check of every monitor after the pause');
  // The next interval, in which missed checks would be made up for.
  await until(allCheckedSince(await databaseNow()), PATIENCE_MS, 'The next check of every monitor');
  await endWorker(worker, 'SIGTERM');
}, 300_000);

afterAll(async () => {
  if (worker) await endWorker(worker, 'SIGKILL');
  await target?.close();
});

describe(`worker paused for ${PAUSE_MS / 1_000} s`, () => {
  it('spreads overdue checks', async () => {
    const soon = new Date(resumedAt.getTime() + 2_000);
    const atOnce = (await checksSince(resumedAt)).filter(({ at }) => at < soon);
    // Spread over ten seconds, a fifth is due in two seconds, plus those claimed for the next second.
    expect(atOnce.length).toBeLessThan(MONITORS * 0.6);
  });

  it('skips missed checks: after each check of a monitor, the next waits for its due time', async () => {
    const checks = await checksSince(resumedAt);
    const early = monitors.flatMap(({ num }) => {
      const times = checks.filter(({ monitorNum }) => monitorNum === num).map(({ at }) => at);
      return times.slice(1).map((at, index) => {
        return (
          nextDue({ monitorNum: num, intervalSeconds: INTERVAL_SECONDS }, times[index] ?? at).getTime() - at.getTime()
        );
      });
    });
    expect(early.length).toBeGreaterThanOrEqual(MONITORS);
    expect(Math.max(...early)).toBeLessThanOrEqual(CLOCK_MS);
  });
});
