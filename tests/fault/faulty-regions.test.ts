import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { inNightly } from '@/tests/support/nightly';
import { random } from '@/tests/support/random';
import { type HttpReceiver, until } from '@/tests/support/receivers';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy';
import { type FailingMonitors, makeFailingMonitors } from './failing-monitors';
import { endWorker, startWorker } from './workers';

// One worker of the built product in each of three regions, each with its own way to the database. While monitors go down and up
// again, the workers are killed, frozen and cut off from the database at random. The test compares the database's record, the
// target's failures and the notifications.

const REGIONS = ['eu', 'us', 'ap'];
const MONITORS = inNightly(200, 100);
const INTERVAL_SECONDS = 8;
/** The time in which all targets begin to fail, each at a different moment. */
const CHANGES_MS = 15_000;
/** Long enough that claims expire and others decide; shorter than they wait for a silent region. */
const SHORTEST_FAULT_MS = 1_000;
const LONGEST_FAULT_MS = 6_000;
const PATIENCE_MS = 90_000;
/** The tolerance between the clocks of this process and of the database. */
const CLOCK_MS = 250;
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);

type Fault = 'killed' | 'frozen' | 'cut off';
const faults: Fault[] = ['killed', 'frozen', 'cut off'];

const next = random(SEED);
const made: { region: string; fault: Fault }[] = [];
const workers = new Map<string, ChildProcess>();
const proxies = new Map<string, DatabaseProxy>();
/** From when to when each target failed. */
const failed = new Map<string, { from: number; to: number }>();
let isOver = false;
let stage: FailingMonitors;
let receiver: HttpReceiver;
let monitors: Monitor[];
let pathOf: (monitor: Monitor) => string;

function start(region: string): void {
  const proxy = proxies.get(region);
  if (proxy && !isOver) workers.set(region, startWorker(region, { DATABASE_URL: proxy.url }));
}

/** Makes a fault in a region for some seconds. */
async function disturb(region: string, fault: Fault): Promise<void> {
  const worker = workers.get(region);
  const proxy = proxies.get(region);
  if (!worker || !proxy) return;
  made.push({ region, fault });
  if (fault === 'killed') await endWorker(worker, 'SIGKILL');
  if (fault === 'frozen') worker.kill('SIGSTOP');
  if (fault === 'cut off') proxy.cut();
  await sleep(SHORTEST_FAULT_MS + next() * (LONGEST_FAULT_MS - SHORTEST_FAULT_MS));
  if (fault === 'killed') start(region);
  if (fault === 'frozen') worker.kill('SIGCONT');
  if (fault === 'cut off') proxy.mend();
}

/** Makes faults in regions that have none, every kind in turn from a random one on, until `hasEnded` and all are over. */
async function disturbAll(hasEnded: () => boolean): Promise<void> {
  const running = new Map<string, Promise<unknown>>();
  for (let turn = Math.floor(next() * faults.length); !hasEnded(); turn += 1) {
    const well = REGIONS.filter((region) => !running.has(region));
    const region = well[Math.floor(next() * well.length)];
    const fault = faults[turn % faults.length];
    if (region && fault)
      running.set(
        region,
        disturb(region, fault).finally(() => running.delete(region)),
      );
    await sleep(1_500 + next() * 2_500);
  }
  await Promise.all(running.values());
}

/** Makes each target fail at a different time until some time after its monitor is down, then waits until all are up. */
async function change(): Promise<void> {
  const begin = Date.now();
  const plans = monitors.map((monitor) => {
    return { monitor, from: begin + next() * CHANGES_MS, to: Number.POSITIVE_INFINITY, stays: next() * 3_000 };
  });
  const isDone = async () => {
    const states = await db.monitorState.findMany({ where: { region: '' }, select: { monitorId: true, status: true } });
    const now = Date.now();
    const down = new Set(states.filter(({ status }) => status === 'down').map(({ monitorId }) => monitorId));
    for (const plan of plans) {
      if (plan.to === Number.POSITIVE_INFINITY && down.has(plan.monitor.id)) plan.to = now + plan.stays;
      const path = pathOf(plan.monitor);
      if (plan.from <= now && now < plan.to) stage.failing.add(path);
      else stage.failing.delete(path);
      failed.set(plan.monitor.id, plan);
    }
    await sleep(100);
    return down.size === 0 && plans.every(({ to }) => to < now);
  };
  await until(isDone, PATIENCE_MS, 'Down and up of every monitor');
}

beforeAll(async () => {
  stage = await makeFailingMonitors(MONITORS, {
    intervalSeconds: INTERVAL_SECONDS,
    regions: REGIONS,
    patienceMs: PATIENCE_MS,
  });
  ({ receiver, monitors, pathOf } = stage);
  for (const region of REGIONS) {
    proxies.set(region, await startDatabaseProxy());
    start(region);
  }
  await stage.untilStatus(monitors, 'up', 'The first verdict of every monitor');

  let hasEnded = false;
  const changes = change().finally(() => {
    hasEnded = true;
  });
  await Promise.all([changes, disturbAll(() => hasEnded)]);
  await stage.untilDelivered(MONITORS);
  // By now, results of frozen workers and late votes of regions are recorded.
  await sleep(INTERVAL_SECONDS * 1_000);
  await Promise.all([...workers.values()].map((worker) => endWorker(worker, 'SIGTERM')));
}, 240_000);

afterAll(async () => {
  isOver = true;
  await Promise.all([...workers.values()].map((worker) => endWorker(worker, 'SIGKILL')));
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  await stage?.close();
});

describe(`workers of three regions, killed, frozen and cut off at random (FAULT_SEED=${SEED})`, () => {
  it('had every kind of fault', () => {
    expect([...new Set(made.map(({ fault }) => fault))].toSorted()).toEqual(faults.toSorted());
  });

  it(`notify each of ${MONITORS} changes down and up once, and reopen none`, async () => {
    const incidents = await db.incident.findMany();
    expect(incidents.map(({ monitorId, type, status }) => `${monitorId} ${type} ${status}`).toSorted()).toEqual(
      monitors.map(({ id }) => `${id} downtime resolved`).toSorted(),
    );
    const messages = new Map<string, string>();
    for (const { headers, body } of receiver.requests) {
      const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } } };
      messages.set(String(headers['webhook-id']), `${data.incident.id} ${type}`);
    }
    const expected = incidents.flatMap(({ id }) => [`${id} incident.opened`, `${id} incident.resolved`]);
    expect([...messages.values()].toSorted()).toEqual(expected.toSorted());
  });

  it('record one downtime of each monitor, while its target failed', async () => {
    const spans = await db.statusSpan.findMany({ orderBy: { startedAt: 'asc' } });
    const wrong: string[] = [];
    for (const monitor of monitors) {
      const own = spans.filter(({ monitorNum, status }) => monitorNum === monitor.num && status !== 'unknown');
      const order = own.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]);
      if (order.join(' ') !== 'pending up down up') wrong.push(`${pathOf(monitor)}: ${order.join(', ')}`);
      const { from = Number.NaN, to = Number.NaN } = failed.get(monitor.id) ?? {};
      const down = own.find(({ status }) => status === 'down');
      if (!down || down.startedAt.getTime() < from - CLOCK_MS) wrong.push(`${pathOf(monitor)}: down too early`);
      if (!down?.endedAt || down.endedAt.getTime() < to - CLOCK_MS) wrong.push(`${pathOf(monitor)}: up too early`);
    }
    expect(wrong).toEqual([]);
  });
});
