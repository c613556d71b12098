import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scheduler } from '@/server/checks/schedule';
import { mailEgress, tellEgress } from '@/server/checks/tell-egress';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
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

async function startWith(port: number): Promise<string[]> {
  const url = `http://127.0.0.1:${target.port}/`;
  const config = { confirm: { retryDelayMs: 300 } };
  const monitors = await makeMonitors(
    teamId,
    Array.from({ length: 6 }, () => ({ url, config })),
  );
  const egress = { canaries: [{ host: '127.0.0.1', port }], isJudged: () => true, calibrateEveryMs: 500 };
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

describe('when many monitors fail together', () => {
  it('and the canary, which worked, does too: they are unknown, nothing opens, and administrators hear of it once', async () => {
    const port = await listen();
    const ids = await startWith(port);
    await hush();
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'unknown');
    for (const { lastError } of await Promise.all(ids.map(readState))) {
      expect(lastError).toBe('This worker’s own network is down, so nothing is known of the target');
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

  it('on waking, before the network is back: they are unknown, however long the machine slept', async () => {
    const ids = await startWith(await listen());
    await hush();
    isDown = true;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await checkAll(ids);
    await allAre(ids, 'unknown');
    expect(await db.incident.count({ where: { teamId } })).toBe(0);
  });

  it('and the canary is gone for good: it is believed until monitors answer without it', async () => {
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

  it('and the canary answers: they are down', async () => {
    const ids = await startWith(await listen());
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'down');
    expect(await db.incident.count({ where: { teamId } })).toBe(6);
    expect(await mails()).toEqual([]);
  });

  it('and the canary never answered: they are down', async () => {
    const port = await listen();
    await hush();
    const ids = await startWith(port);
    isDown = true;
    await checkAll(ids);
    await allAre(ids, 'down');
    expect(await db.incident.count({ where: { teamId } })).toBe(6);
    expect(await mails()).toEqual([]);
  });
});

describe('what administrators are told', () => {
  it('is one mail to each, however many workers of a region notice', async () => {
    const at = new Date();
    await Promise.all(Array.from({ length: 5 }, () => tellEgress(region, 'lost', at)));
    expect(await mails()).toEqual(['lost']);
    await Promise.all(Array.from({ length: 5 }, () => tellEgress(region, 'back', at)));
    expect(await mails()).toEqual(['lost', 'back']);
  });

  it('is the beginning and the end of every episode, however soon the next one follows', async () => {
    const at = new Date();
    for (const kind of ['lost', 'back', 'lost', 'back', 'lost'] as const) await tellEgress(region, kind, at);
    expect(await mails()).toEqual(['lost', 'back', 'lost', 'back', 'lost']);
  });

  it('is nothing at the end of what nobody told of', async () => {
    await tellEgress(region, 'back', new Date());
    expect(await mails()).toEqual([]);
  });

  it('says since when, and where', async () => {
    const user = await db.user.findFirstOrThrow();
    const payload = { userId: user.id, region, kind: 'lost', at: '2026-11-21T06:00:00.000Z' };
    await mailEgress.runUnknown(payload, { signal: new AbortController().signal, attempt: 1 });
    const [mail] = await db.keptMail.findMany({ where: { to: user.email } });
    expect(mail?.subject).toBe(`Upwatch: the network of region ${region} is down`);
    expect(mail?.text).toContain(`Since 2026-11-21 06:00:00 UTC, in the region ${region}`);
  });
});
