import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Claim, claimDue, dueNow } from '@/server/checks/schedule/claim';
import { ConnectionTests } from '@/server/checks/schedule/connection-tests';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
import { loadPlans, type MonitorOptions, makeMonitor, makeMonitors, makeTeam, readState } from './monitors';

const HALF_MS = 30_000;
/** The wait from the plan of a test until it starts. */
const WAIT_MS = 50;
let teamId: string;
let server: Server;
let port: number;
let connections = 0;
let requests = 0;

async function open(): Promise<void> {
  server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
}

const close = () => new Promise((resolve) => server.close(resolve));

beforeEach(async () => {
  teamId = await makeTeam();
  [connections, requests] = [0, 0];
  await open();
});

afterEach(async () => {
  await close();
  await db.team.deleteMany();
});

afterAll(stopListening);

/** A monitor, and the tests of the worker that checked it last. */
async function monitored(options: Partial<MonitorOptions> = {}) {
  const monitor = await makeMonitor(teamId, { url: `http://127.0.0.1:${port}/`, intervalSeconds: 60, ...options });
  const worker = newId();
  const { claims } = await claimDue(worker, 'test', 1_000, 10);
  const claim = claims.find(({ monitorId }) => monitorId === monitor.id) as Claim;
  const plan = (await loadPlans([claim])).get(monitor.id);
  if (!plan) throw new Error('The monitor has no plan.');
  const onDue = vi.fn();
  let now = new Date();
  const ran: Promise<void>[] = [];
  const tests = new ConnectionTests({
    clock: { now: () => now },
    signal: new AbortController().signal,
    inTurn: (_plan, work) => void ran.push(work()),
    isLost: () => false,
    onDue,
  });
  /** Runs the test of a check that is due in half an interval. @returns whether there was a test */
  const test = async (changed = {}, isWritten = true) => {
    const dueAt = new Date(Date.now() + HALF_MS);
    now = new Date(dueAt.getTime() - HALF_MS - WAIT_MS);
    const data = { claimedBy: null, claimedUntil: null, dueAt, ...changed };
    if (isWritten) await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data });
    const before = ran.length;
    tests.plan({ claim, plan }, dueAt);
    await new Promise((resolve) => setTimeout(resolve, 2 * WAIT_MS));
    await Promise.all(ran);
    return ran.length > before;
  };
  return { monitor, test, onDue };
}

/** The transaction that wrote the state last. */
const writerOf = (monitorId: string) =>
  db.$queryRaw`select xmin::text from monitor_states where monitor_id = ${monitorId}`;

describe('a connection test', () => {
  it('connects without a request, and writes nothing', async () => {
    const { monitor, test, onDue } = await monitored();
    expect(await test()).toBe(true);
    const writer = await writerOf(monitor.id);
    expect(await test({}, false)).toBe(true);
    await until(() => connections === 2);
    expect(requests).toBe(0);
    expect(onDue).not.toHaveBeenCalled();
    expect(await writerOf(monitor.id)).toEqual(writer);
    expect((await readState(monitor.id)).dueAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('makes the check due now if the connection fails, and changes nothing else', async () => {
    const { monitor, test, onDue } = await monitored();
    await close();
    expect(await test()).toBe(true);
    const { dueAt, status, failures, openIncident, revision } = await readState(monitor.id);
    expect(dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
    expect({ status, failures, openIncident, revision }).toEqual({
      status: 'pending',
      failures: 0,
      openIncident: null,
      revision: 0,
    });
    expect(onDue).toHaveBeenCalledTimes(1);
    expect(await db.check.count()).toBe(0);
  });

  it('is not made for a monitor that is upside down, because its connections may fail while it is up', async () => {
    const { test } = await monitored({ config: { upsideDown: true } });
    expect(await test()).toBe(false);
  });

  it.each([
    ['claimed', { claimedBy: 'another', claimedUntil: new Date(Date.now() + 60_000) }],
    ['paused', { dueAt: null }],
    ['scheduled for another time', { dueAt: new Date(Date.now() + 40_000) }],
  ])('does not move a check that was %s meanwhile', async (_what, changed) => {
    const { monitor, test, onDue } = await monitored();
    await close();
    expect(await test(changed)).toBe(true);
    const state = await readState(monitor.id);
    expect(state.dueAt === null || state.dueAt.getTime() > Date.now()).toBe(true);
    expect(onDue).not.toHaveBeenCalled();
  });

  it('ends for a monitor whose checks pass after three failing tests', async () => {
    const { test } = await monitored();
    await close();
    const ran = [await test(), await test(), await test(), await test()];
    expect(ran).toEqual([true, true, true, false]);
  });

  it.each([
    ['turned off', { config: { connectionTests: false } }],
    ['in regions', { regions: ['test'] }],
    ['with an interval below 30 s', { intervalSeconds: 20 }],
  ])('is not made for a monitor %s', async (_what, options) => {
    const { test } = await monitored(options);
    expect(await test()).toBe(false);
    expect(connections).toBe(0);
  });

  it('loses no check in a race with a claim', async () => {
    const monitor = await makeMonitor(teamId, { url: `http://127.0.0.1:${port}/`, intervalSeconds: 60 });
    for (let round = 0; round < 20; round += 1) {
      const dueAt = new Date(Date.now() + 900);
      const data = { claimedBy: null, claimedUntil: null, dueAt };
      await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data });
      const [due, isMoved] = await Promise.all([
        claimDue('worker', 'test', 1_000, 10),
        dueNow({ monitorId: monitor.id, region: '' }, dueAt),
      ]);
      const state = await readState(monitor.id);
      const [claim] = due.claims;
      // A claim that skipped the locked row finds it at the next poll; one that was made knows the time at which its check is due.
      if (claim) expect(claim.dueAt).toEqual(state.dueAt);
      else expect(isMoved).toBe(true);
      if (!isMoved) expect(state.dueAt).toEqual(dueAt);
    }
  });
});

describe('a worker', () => {
  it('checks a monitor before its time if a connection test fails', async () => {
    const options = Array.from({ length: 8 }, () => ({ url: `http://127.0.0.1:${port}/`, intervalSeconds: 30 }));
    const monitors = await makeMonitors(teamId, options);
    const scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 50 });
    scheduler.start();
    const states = () => Promise.all(monitors.map(({ id }) => readState(id)));
    try {
      await until(async () => (await states()).every(({ status }) => status === 'up'), 10_000);
      const soon = (await states()).filter(({ dueAt }) => {
        const testIn = (dueAt?.getTime() ?? 0) - Date.now() - 15_000;
        return testIn > 1_000;
      });
      expect(soon.length).toBeGreaterThan(0);
      const first = soon.reduce((one, other) => ((one.dueAt ?? 0) < (other.dueAt ?? 0) ? one : other));
      await close();
      server.closeAllConnections();
      await until(async () => (await readState(first.monitorId)).failures > 0, 20_000);
      const { turnedAt } = await readState(first.monitorId);
      expect(turnedAt?.getTime()).toBeLessThan((first.dueAt?.getTime() ?? 0) - 10_000);
    } finally {
      await scheduler.stop(500);
    }
  }, 60_000);
});
