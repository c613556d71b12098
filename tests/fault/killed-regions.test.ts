import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { nextDue, shiftOf } from '@/server/time/phase';
import { inNightly } from '@/tests/support/nightly';
import { type HttpReceiver, until } from '@/tests/support/receivers';
import { type FailingMonitors, makeFailingMonitors } from './failing-monitors';
import { endWorker, startWorker } from './workers';

// Three workers of the built product: two in one region, killed in turn while they hold its claims, and one in another. The test compares the
// database's record, the requests to the target, and the notifications.

const REGIONS = ['eu', 'us'];
const MONITORS = 100;
const INTERVAL_SECONDS = 15;
const KILLS = inNightly(6, 3);
/** Monitors that fail together. */
const FAILING = 10;
/** The maximum lateness of a check: one interval plus this. */
const GRACE_MS = 5_000;
/** The tolerance between the clocks of two processes of one machine, each of which estimates the database's. */
const CLOCK_MS = 250;
/** Slow enough that a worker is killed during many checks. */
const ANSWER_AFTER_MS = 400;
const PATIENCE_MS = 60_000;

interface Running {
  id: string;
  process: ChildProcess;
}

const eu: Running[] = [];
/** Every worker that was started, and whether more may be started. */
const started: ChildProcess[] = [];
let isOver = false;
const kills: { at: number; held: Monitor[] }[] = [];
let stage: FailingMonitors;
let target: HttpReceiver;
let receiver: HttpReceiver;
let monitors: Monitor[];
let pathOf: (monitor: Monitor) => string;

const idsOf = (members: Monitor[]) => members.map(({ id }) => id);

/** Starts a worker in the region and resolves when it is the only one there. */
async function startIn(region: string): Promise<Running> {
  const present = async () => (await db.worker.findMany({ where: { region } })).map(({ id }) => id);
  const before = new Set(await present());
  if (isOver) throw new Error('The test is over.');
  const process = startWorker(region);
  started.push(process);
  let id: string | undefined;
  await until(
    async () => {
      id = (await present()).find((each) => !before.has(each));
      return id !== undefined;
    },
    PATIENCE_MS,
    'The new worker',
  );
  return { id: id ?? '', process };
}

const claimsOf = (id: string) => db.monitorState.findMany({ where: { claimedBy: id, region: 'eu' } });

/** Kills a worker while it holds claims of its region, and starts another in its place. */
async function killHolding(place: number): Promise<void> {
  const worker = eu[place];
  if (!worker) throw new Error('There is no worker to kill.');
  await until(async () => (await claimsOf(worker.id)).length > 0, PATIENCE_MS, 'A claim of the worker');
  await endWorker(worker.process, 'SIGKILL');
  const at = Date.now();
  const ids = new Set((await claimsOf(worker.id)).map(({ monitorId }) => monitorId));
  const held = monitors.filter(({ id }) => ids.has(id));
  kills.push({ at, held });
  // The other worker of the region takes over the claims when their leases expire. It is not killed before that, because the guarantee for one
  // check covers one crash.
  const where = { monitorNum: { in: held.map(({ num }) => num) }, region: 'eu', at: { gte: new Date(at) } };
  const made = async () => (await db.check.groupBy({ by: ['monitorNum'], where })).length === held.length;
  await until(made, PATIENCE_MS, 'The take-over of its checks');
  eu[place] = await startIn('eu');
}

beforeAll(async () => {
  stage = await makeFailingMonitors(MONITORS, {
    intervalSeconds: INTERVAL_SECONDS,
    regions: REGIONS,
    patienceMs: PATIENCE_MS,
    beforeAnswer: () => sleep(ANSWER_AFTER_MS),
  });
  ({ target, receiver, monitors, pathOf } = stage);
  eu.push(await startIn('eu'), await startIn('eu'));
  await startIn('us');
  await stage.untilStatus(monitors, 'up', 'The first verdict of every monitor');

  const killing = (async () => {
    for (let times = 0; times < KILLS; times += 1) await killHolding(times % 2);
  })();
  await Promise.all([killing, stage.fail(monitors.slice(0, FAILING))]);
  await stage.untilDelivered(FAILING);
  // Checks delayed by the last kill are made up for within the guaranteed time.
  await sleep(INTERVAL_SECONDS * 1_000 + GRACE_MS);
  await Promise.all(started.map((each) => endWorker(each, 'SIGTERM')));
}, 400_000);

afterAll(async () => {
  isOver = true;
  await Promise.all(started.map((each) => endWorker(each, 'SIGKILL')));
  await stage?.close();
});

/** A monitor's recorded checks, oldest first: of all regions, or of one. */
async function checksOf(monitor: Monitor, region?: string): Promise<{ at: number; endedAt: number }[]> {
  const where = { monitorNum: monitor.num, ...(region !== undefined && { region }) };
  const rows = await db.check.findMany({ where, orderBy: { at: 'asc' } });
  return rows.map(({ at, latencyMs }) => ({
    at: at.getTime(),
    endedAt: at.getTime() + (latencyMs ?? ANSWER_AFTER_MS),
  }));
}

describe(`two workers of one region, killed in turn ${KILLS} times while they hold its checks, and one of another region`, () => {
  it('take over claims from each other', async () => {
    expect(kills).toHaveLength(KILLS);
    expect(kills.flatMap(({ held }) => held).length).toBeGreaterThan(0);
    for (const { at, held } of kills) {
      for (const monitor of held) {
        const after = (await checksOf(monitor, 'eu')).filter((check) => check.at >= at);
        expect(after.length, `${pathOf(monitor)} after the worker that held it died`).toBeGreaterThan(0);
      }
    }
  });

  it.each(REGIONS)('miss no due check in %s by more than one interval and 5 s, and run none twice', async (region) => {
    const late: string[] = [];
    const phaseShift = shiftOf(REGIONS.indexOf(region), REGIONS.length);
    const phase = { intervalSeconds: INTERVAL_SECONDS, phaseShift };
    for (const [index, monitor] of monitors.entries()) {
      const checks = await checksOf(monitor, region);
      expect(checks.length, pathOf(monitor)).toBeGreaterThan(1);
      for (const [place, { at }] of checks.slice(1).entries()) {
        const before = checks[place] ?? { at: 0, endedAt: 0 };
        const dueAfter = (time: number) => nextDue({ monitorNum: monitor.num, ...phase }, new Date(time)).getTime();
        // A check that covers a due time, as a first one may, counts for that time too.
        const lateness = at - dueAfter(before.endedAt + CLOCK_MS);
        if (lateness > INTERVAL_SECONDS * 1_000 + GRACE_MS) {
          const died = kills
            .filter(({ held }) => held.includes(monitor))
            .map((kill) => new Date(kill.at).toISOString());
          late.push(`${pathOf(monitor)} by ${lateness} ms at ${new Date(at).toISOString()}, its workers died ${died}`);
        }
        // Failed checks are rechecked off schedule.
        if (index >= FAILING) expect(at - dueAfter(before.at), pathOf(monitor)).toBeGreaterThanOrEqual(-CLOCK_MS);
      }
    }
    expect(late).toEqual([]);
  });

  it('connect to the target once for each check, and again only if a kill lost the result', async () => {
    const inVain: string[] = [];
    for (const monitor of monitors) {
      const checks = await checksOf(monitor);
      const asked = target.requests.filter(({ path }) => path === pathOf(monitor)).map(({ at }) => at.getTime());
      for (const at of asked) {
        const found = checks.findIndex((check) => at >= check.at - CLOCK_MS && at <= check.endedAt + CLOCK_MS);
        if (found >= 0) checks.splice(found, 1);
        else if (!kills.some((kill) => kill.at >= at - CLOCK_MS && kill.at - at < INTERVAL_SECONDS * 1_000)) {
          inVain.push(`${pathOf(monitor)} at ${new Date(at).toISOString()}`);
        }
      }
      expect(checks, `${pathOf(monitor)} was recorded without having been asked`).toEqual([]);
    }
    expect(inVain).toEqual([]);
  });

  it('opens and resolves each incident once, and notifies under one webhook-id', async () => {
    const incidents = await db.incident.findMany();
    expect(incidents.map(({ monitorId, type, status }) => `${monitorId} ${type} ${status}`).toSorted()).toEqual(
      idsOf(monitors.slice(0, FAILING))
        .map((id) => `${id} downtime resolved`)
        .toSorted(),
    );
    const messages = new Map(
      receiver.requests.map(({ headers, body }) => {
        const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } } };
        return [String(headers['webhook-id']), `${type} ${data.incident.id}`];
      }),
    );
    const expected = incidents.flatMap(({ id }) => [`incident.opened ${id}`, `incident.resolved ${id}`]);
    expect([...messages.values()].toSorted()).toEqual(expected.toSorted());
  });
});
