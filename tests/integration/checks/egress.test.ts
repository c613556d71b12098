import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkNow } from '@/server/checks/run/check-now';
import type { EgressOptions } from '@/server/checks/run/egress';
import { mailEgress, reportEgress } from '@/server/checks/run/report-egress';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { makeDue, makeMonitors, makeTeam, readState } from './monitors';
import { httpTarget, type Target } from './targets';

let target: Target;
let isDown = false;
let teamId: string;
let region: string;
let scheduler: Scheduler | null = null;
let canary: Server | null = null;

async function listen(port = 0): Promise<number> {
  canary = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end();
  });
  canary.listen(port, '127.0.0.1');
  await once(canary, 'listening');
  return (canary.address() as AddressInfo).port;
}

async function hush(): Promise<void> {
  const server = canary;
  canary = null;
  if (!server) return;
  server.close();
  await once(server, 'close');
}

beforeAll(async () => {
  target = await httpTarget((_request, response) => {
    if (isDown) response.destroy();
    else response.writeHead(200).end();
  });
});

beforeEach(async () => {
  teamId = await makeTeam();
  region = `r-${newId().toLowerCase()}`.slice(0, 32);
  const id = newId();
  await db.user.create({ data: { id, email: `${id}@example.test`, passwordHash: 'x', isAdmin: true } });
  await db.membership.create({ data: { userId: id, teamId, role: 'owner' } });
});

afterEach(async () => {
  vi.useRealTimers();
  await scheduler?.stop(500);
  scheduler = null;
  await hush();
  isDown = false;
  await db.team.deleteMany();
  await db.user.deleteMany();
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

async function startWith(
  port: number,
  {
    count = 6,
    upsideDown = false,
    ...options
  }: Pick<EgressOptions, 'startGraceMs'> & { count?: number; upsideDown?: boolean } = {},
): Promise<string[]> {
  const url = `http://127.0.0.1:${target.port}/`;
  const config = { upsideDown, confirm: { failures: 2, recoveries: 1, retryDelayMs: 300 } };
  const monitors = await makeMonitors(
    teamId,
    Array.from({ length: count }, () => ({ url, config })),
  );
  const egress = { canaries: [{ host: '127.0.0.1', port }], isJudged: () => true, calibrateEveryMs: 500, ...options };
  scheduler = new Scheduler({ worker: newId(), region, concurrency: 10, egress });
  scheduler.start();
  const ids = monitors.map(({ id }) => id);
  await allAre(ids, 'up');
  return ids;
}

const allAre = (ids: string[], status: string) =>
  until(
    async () => (await Promise.all(ids.map(readState))).every((state) => state.status === status),
    20_000,
    `All monitors being ${status}`,
  );
const checkAll = (ids: string[]) => Promise.all(ids.map(makeDue));
const mails = async () => {
  const rows = await db.$queryRaw<{ kind: string }[]>`
    select j.payload->>'kind' as kind from graphile_worker._private_jobs j
    where j.payload->>'region' = ${region} order by j.id`;
  return rows.map(({ kind }) => kind);
};

describe('many monitors failing together', () => {
  it('turn unknown without incidents, with one mail to administrators, if the egress check fails too', async () => {
    const port = await listen();
    const ids = await startWith(port);
    await hush();
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'unknown');
    for (const { lastError } of await Promise.all(ids.map(readState))) {
      expect(lastError).toBe('The network of this worker is down, so the status of the target is unknown');
    }
    await until(async () => (await mails()).length > 0);
    await checkAll(ids);
    expect(await db.incident.count({ where: { teamId } })).toBe(0);

    isDown = false;
    await listen(port);
    await until(async () => (await mails()).length > 1);
    await checkAll(ids);
    await allAre(ids, 'up');
    expect(await mails()).toEqual(['lost', 'back']);
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });

  it('turn unknown if they are upside down, instead of being up because our network is down', async () => {
    const port = await listen();
    isDown = true;
    const ids = await startWith(port, { count: 2, upsideDown: true });
    await hush();
    await checkAll(ids);
    await allAre(ids, 'unknown');
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
    await listen(port);
    await checkAll(ids);
    await allAre(ids, 'up');
  });

  it('turn unknown after waking up without a network, however long the machine slept', async () => {
    const ids = await startWith(await listen());
    await hush();
    isDown = true;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await checkAll(ids);
    await allAre(ids, 'unknown');
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });

  it('turn down if the egress check target is gone for good, until monitors respond without it', async () => {
    const ids = await startWith(await listen());
    await hush();
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'unknown');

    isDown = false;
    await checkAll(ids);
    await until(async () => (await mails()).length > 1);
    expect(await mails()).toEqual(['lost', 'back']);

    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'down');
    expect(await db.incident.count({ where: { teamId } })).toBe(6);
  });

  it('turn down if the egress check succeeds', async () => {
    const ids = await startWith(await listen());
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'down');
    expect(await db.incident.count({ where: { teamId } })).toBe(6);
    expect(await mails()).toEqual([]);
  });

  it('turn down if the egress check never succeeded', async () => {
    const port = await listen();
    await hush();
    const ids = await startWith(port, { startGraceMs: 0 });
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'down');
    expect(await db.incident.count({ where: { teamId } })).toBe(6);
    expect(await mails()).toEqual([]);
  });

  it('turn unknown if the worker has just started and the egress check has not succeeded yet', async () => {
    const port = await listen();
    await hush();
    const ids = await startWith(port);
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'unknown');
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });

  it('turns unknown and collects no downtime, alone and already down, while the egress check fails', async () => {
    const port = await listen();
    const [id = ''] = await startWith(port, { count: 1 });
    isDown = true;
    await makeDue(id);
    await allAre([id], 'down');
    await hush();
    await makeDue(id);
    await allAre([id], 'unknown');
    expect(await db.incident.count({ where: { teamId, status: 'open' } })).toBe(1);
    await listen(port);
    await makeDue(id);
    await allAre([id], 'down');
    expect(await db.incident.count({ where: { teamId } })).toBe(1);
  });
});

describe('manual check that fails', () => {
  const judgedBy = (port: number) => ({ canaries: [{ host: '127.0.0.1', port }], isJudged: () => true });
  /** Monitors that are up and checked every hour, so that no worker checks them again. */
  async function makeUp(count: number, port: number) {
    const config = { confirm: { failures: 1 } };
    const url = `http://127.0.0.1:${target.port}/`;
    const monitors = await makeMonitors(teamId, Array(count).fill({ url, config }));
    const others = await startWith(port);
    await allAre(
      monitors.map(({ id }) => id),
      'up',
    );
    return { monitors, others };
  }
  const saidByWorker = (column: 'canary_at' | 'lost_at', isThere: boolean) =>
    until(async () => {
      const rows = await db.$queryRaw<Record<string, Date | null>[]>`select canary_at, lost_at from workers`;
      return rows.length > 0 && rows.every((row) => (row[column] !== null) === isThere);
    });

  it('turns the monitor unknown while the workers of its region are offline, and down once they are back', async () => {
    region = env.region;
    const port = await listen();
    const { monitors, others } = await makeUp(1, port);
    const [monitor] = monitors;
    if (!monitor) throw new Error('There is no monitor.');
    await hush();
    isDown = true;
    await checkAll(others);
    await saidByWorker('lost_at', true);
    expect(await checkNow(monitor, judgedBy(port))).toMatchObject({
      status: 'unknown',
      error: 'The network of this worker is down, so the status of the target is unknown',
    });
    expect(await readState(monitor.id)).toMatchObject({ status: 'unknown', openIncident: null });

    await listen(port);
    await saidByWorker('lost_at', false);
    expect(await checkNow(monitor, judgedBy(port))).toMatchObject({ status: 'down' });
    expect(await db.incident.count({ where: { monitorId: monitor.id } })).toBe(1);
  });

  it('turns many monitors unknown, before any worker noticed, if a known egress check fails', async () => {
    region = env.region;
    const port = await listen();
    const { monitors } = await makeUp(4, port);
    await saidByWorker('canary_at', true);
    await hush();
    isDown = true;
    const seen: string[] = [];
    for (const monitor of monitors) seen.push((await checkNow(monitor, judgedBy(port))).status);
    expect(seen).toEqual(Array(4).fill('unknown'));
  });

  it('turns the monitor down if the egress check succeeds, or if no worker ever passed it', async () => {
    region = env.region;
    const port = await listen();
    const { monitors } = await makeUp(8, port);
    await saidByWorker('canary_at', true);
    isDown = true;
    for (const monitor of monitors.slice(0, 4)) {
      expect(await checkNow(monitor, judgedBy(port))).toMatchObject({ status: 'down' });
    }
    await scheduler?.stop(500);
    scheduler = null;
    await hush();
    for (const monitor of monitors.slice(4)) {
      expect(await checkNow(monitor, judgedBy(port))).toMatchObject({ status: 'down' });
    }
  });
});

describe('network outage mail to administrators', () => {
  it('is sent once to each, however many workers of a region notice', async () => {
    const at = new Date();
    await Promise.all(Array.from({ length: 5 }, () => reportEgress(region, 'lost', at)));
    expect(await mails()).toEqual(['lost']);
    await Promise.all(Array.from({ length: 5 }, () => reportEgress(region, 'back', at)));
    expect(await mails()).toEqual(['lost', 'back']);
  });

  it('is sent at the start and end of every outage, however soon the next one follows', async () => {
    const at = new Date();
    for (const kind of ['lost', 'back', 'lost', 'back', 'lost'] as const) await reportEgress(region, kind, at);
    expect(await mails()).toEqual(['lost', 'back', 'lost', 'back', 'lost']);
  });

  it('is not sent at the end of an outage without a mail at its start', async () => {
    await reportEgress(region, 'back', new Date());
    expect(await mails()).toEqual([]);
  });

  it('states the start and the place', async () => {
    const user = await db.user.findFirstOrThrow();
    const payload = { userId: user.id, region, kind: 'lost', at: '2026-11-21T06:00:00.000Z' };
    await runJob(mailEgress, payload);
    const [mail] = await db.undeliveredMail.findMany({ where: { to: user.email } });
    expect(mail?.subject).toBe(`Upwatch: the network of region ${region} is down`);
    expect(mail?.text).toContain(`Since 2026-11-21 06:00:00 UTC in region ${region}`);
  });
});
