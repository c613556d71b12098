import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction, unqueued, withShare } from '@/server/platform/database/connection-share';
import { Connections } from '@/server/platform/database/connections';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { db } from '@/server/platform/db';
import { PrismaClient } from '@/server/platform/generated/prisma/client';
import { waitsByKind } from '@/server/platform/metrics/time-buckets';
import type { Actor } from '@/server/trpc/actor';
import { type CallKind, inShareOf } from '@/server/trpc/share';
import { until } from '@/tests/support/receivers';

const MOST = 4;
/** Slots that teams share: one connection is reserved. */
const SLOTS = MOST - 1;

let pool: Connections;
let client: PrismaClient;

function open(options: { connectionTimeoutMillis?: number } = {}) {
  pool = new Connections({ connectionString: process.env.DATABASE_URL, max: MOST, ...options });
  client = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
}

beforeEach(() => open());
afterEach(() => client.$disconnect());

const as = <T>(team: string, work: () => Promise<T>) => withShare({ team }, work);
/** A statement that takes this long in the database. */
const slow = (ms: number) => client.$queryRaw`select 1 as one, pg_sleep(${ms / 1000}::float8)::text`;

describe('Connections', () => {
  it('gives a team a connection at once while another team has 50 statements waiting', async () => {
    await as('quiet', () => slow(0));
    let busyDone = 0;
    const busy = Array.from({ length: 50 }, () => as('busy', () => slow(200)).then(() => (busyDone += 1)));
    await until(async () => pool.callersWaiting > 40, 5_000, 'The queue of the busy team');
    const began = performance.now();
    for (let count = 0; count < 5; count += 1) await as('quiet', () => slow(0));
    const tookMs = performance.now() - began;
    // Without shares, each of the five waits for 50 statements of 200 ms on 4 connections.
    expect(tookMs).toBeLessThan(1_000);
    expect(busyDone).toBeLessThan(50);
    await Promise.all(busy);
  });

  it('gives the reads of a team a connection while 50 changes of the same team wait', async () => {
    const actor = { kind: 'key', team: { id: 'busy' } } as Actor;
    const call = (kind: CallKind, ms: number) => inShareOf({ actor, address: '', kind }, () => slow(ms));
    let changes = 0;
    const busy = Array.from({ length: 50 }, () => call('mutation', 200).then(() => (changes += 1)));
    await until(async () => pool.callersWaiting > 40, 5_000, 'The queue of changes');
    const before = changes;
    for (let count = 0; count < 3; count += 1) await call('query', 0);
    // Each waits for one change to end, not for those that came before it.
    expect(changes - before).toBeLessThan(4 * SLOTS);
    await Promise.all(busy);
  });

  it('counts a transaction as its team, from the first statement to the last', async () => {
    await as('quiet', () => slow(0));
    const held = new EventTarget();
    const end = new Promise((resolve) => held.addEventListener('end', resolve));
    const body = () => client.$transaction(() => end, { timeout: 20_000, maxWait: 20_000 });
    const transactions = Array.from({ length: 10 }, () => as('busy', body));
    await until(async () => pool.callersWaiting > 5, 5_000, 'Waiting transactions');
    await as('quiet', () => slow(0));
    held.dispatchEvent(new Event('end'));
    await Promise.all(transactions);
    expect(pool.callersWaiting).toBe(0);
  });

  it('gives connections to transactions that need a second one while all slots are taken', async () => {
    const body = () =>
      client.$transaction((tx) =>
        inTransaction(async () => {
          await tx.$queryRaw`select 1 as one`;
          await sleep(50);
          return slow(10);
        }),
      );
    const nested = Array.from({ length: 12 }, (_, index) => as(`team ${index % 3}`, body));
    expect(await Promise.all(nested)).toHaveLength(12);
  });

  it('gives connections to work that a transaction depends on while all slots are taken', async () => {
    const busy = Array.from({ length: 10 }, () => as('busy', () => slow(300)));
    await until(async () => pool.callersWaiting > 0, 5_000, 'A queue');
    const began = performance.now();
    await as('busy', () => unqueued(() => slow(0)));
    expect(performance.now() - began).toBeLessThan(300);
    await Promise.all(busy);
  });

  it('refuses a caller that waited too long as a missing database, and frees its place and its slot', async () => {
    await client.$disconnect();
    open({ connectionTimeoutMillis: 300 });
    const busy = Array.from({ length: SLOTS }, () => as('busy', () => slow(1_000)));
    await until(async () => pool.totalCount === SLOTS && pool.idleCount === 0, 5_000, 'All slots in use');
    const refused = await as('busy', () => slow(0)).then(String, (error: unknown) => error);
    expect(isDatabaseAway(refused)).toBe(true);
    expect(pool.callersWaiting).toBe(0);
    await Promise.all(busy);
    await Promise.all(Array.from({ length: SLOTS }, () => as('busy', () => slow(0))));
  });

  it('frees the slot of a connection that breaks in use, and of a statement that fails', async () => {
    for (let count = 0; count < 2 * MOST; count += 1) {
      await expect(as('team', () => client.$queryRaw`select 1 / 0`)).rejects.toThrow();
      await expect(as('team', () => client.$queryRaw`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow();
    }
    await Promise.all(Array.from({ length: 3 * MOST }, () => as('team', () => slow(0))));
  });

  it('measures how long callers wait', async () => {
    const total = () => waitsByKind().database?.totalMs ?? 0;
    const before = total();
    await Promise.all(Array.from({ length: 2 * MOST }, () => as('busy', () => slow(50))));
    expect(total() - before).toBeGreaterThan(40);
  });
});

it('gives a statement beside the transaction that awaits it a connection', async () => {
  await db.$transaction(async (tx) => {
    const [one] = await Promise.all([tx.$queryRaw`select 1 as one`, db.$queryRaw`select 2 as two`]);
    expect(one).toEqual([{ one: 1 }]);
  });
  expect(await db.$transaction([db.worker.count(), db.team.count()])).toHaveLength(2);
});
