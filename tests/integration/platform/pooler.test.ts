import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { assertConnections, ConnectionsError } from '@/server/platform/database/assert-connections';
import { assertSessions, SessionError } from '@/server/platform/database/assert-sessions';
import { testDatabase } from '@/tests/support/database';
import { hasPgBouncer, startPgBouncer } from '@/tests/support/pgbouncer';
import { until } from '@/tests/support/receivers';

const direct = testDatabase();
/** A time zone at least sixteen hours away from any that a test machine uses. */
const FAR = 'Pacific/Kiritimati';

beforeAll(async () => {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  await client.query(`alter database "${client.database}" set timezone to '${FAR}'`);
  await client.end();
});
afterEach(() => vi.unstubAllEnvs());

/** PgBouncer for one test. */
async function through(...options: Parameters<typeof startPgBouncer> extends [string, ...infer Rest] ? Rest : never) {
  const { url, stop } = await startPgBouncer(direct, ...options);
  onTestFinished(stop);
  return url;
}

/** The server's modules in a process with this DATABASE_URL. */
async function connectedTo(url: string) {
  vi.stubEnv('DATABASE_URL', url);
  vi.resetModules();
  const kept = globalThis as { upwatchDb?: unknown; upwatchPool?: unknown; upwatchListener?: unknown };
  const before = { upwatchDb: kept.upwatchDb, upwatchPool: kept.upwatchPool, upwatchListener: kept.upwatchListener };
  Object.assign(kept, { upwatchDb: undefined, upwatchPool: undefined, upwatchListener: undefined });
  const { db } = await import('@/server/platform/db');
  const { listen, notifySchedule, stopListening } = await import('@/server/platform/listen');
  onTestFinished(async () => {
    await stopListening();
    await db.$disconnect();
    Object.assign(kept, before);
  });
  return { db, listen, notifySchedule };
}

it('accepts a direct database connection', async () => {
  await expect(assertSessions(direct)).resolves.toBeUndefined();
});

describe.skipIf(!hasPgBouncer)('behind PgBouncer (skipped if it is not installed)', () => {
  it('works in session mode with its defaults: times are stored unchanged, and notifications arrive', async () => {
    const url = await through('session');
    await assertSessions(url);
    const { db, listen, notifySchedule } = await connectedTo(url);
    const expiresAt = new Date('2026-03-01T12:00:00.000Z');
    await db.kvEntry.create({ data: { key: 'pooler', value: '', expiresAt } });
    const [row] = await db.$queryRaw<{ seconds: number }[]>`
      select extract(epoch from expires_at)::float8 as seconds from kv_entries where key = 'pooler'`;
    expect(row?.seconds).toBe(expiresAt.getTime() / 1000);
    expect((await db.kvEntry.findUniqueOrThrow({ where: { key: 'pooler' } })).expiresAt).toEqual(expiresAt);
    let notifications = 0;
    await listen('schedule', () => {
      notifications += 1;
    });
    await db.$transaction((tx) => notifySchedule(tx));
    await until(() => notifications === 1, 10_000, 'The notification');
  });

  it('rejects too small a pool in one line, and accepts a sufficient one', async () => {
    const failure = await assertConnections(await through('session'), 25).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionsError);
    expect(String(failure)).toMatch(/gave 20 connections at once, and 25 are needed: .*default_pool_size\)\.$/);
    await assertConnections(await through('session', { default_pool_size: 25 }), 25);
  }, 40_000);

  it('leaves no migration lock behind, not even in transaction mode', async () => {
    await migrate(await through('transaction'));
    const client = new pg.Client({ connectionString: direct });
    await client.connect();
    // Other tests migrate databases of their own on this server meanwhile.
    const { rows } = await client.query(
      `select pid from pg_locks where locktype = 'advisory' and objid = 823471106
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await client.end();
    expect(rows).toEqual([]);
  });

  it.each([
    ['transaction', {}],
    ['transaction', { server_round_robin: 1, min_pool_size: 5 }],
    ['statement', {}],
  ] as const)('rejects %s mode with %o in one line that says what to set', async (mode, settings) => {
    const failure = await assertSessions(await through(mode, settings)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SessionError);
    expect(String(failure)).toMatch(/keeps no sessions \(.+\): .*pool_mode = session\)\.$/);
  });
});
