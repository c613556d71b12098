import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Connections } from '@/server/platform/database/connections';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { PrismaClient } from '@/server/platform/generated/prisma/client';
import { testDatabase } from '@/tests/support/database';

/** The module as loaded by pages, and again by route handlers. */
async function loaded() {
  vi.resetModules();
  return import('@/server/platform/db');
}

it('gives the statements of separately loaded modules different names on shared connections', async () => {
  const [pages, routes] = [await loaded(), await loaded()];
  expect(pages.db).not.toBe(routes.db);
  for (let round = 0; round < 3; round += 1) {
    expect(await pages.db.$queryRaw`select 'page' as text`).toEqual([{ text: 'page' }]);
    expect(await routes.db.$queryRaw`select 'route' as text`).toEqual([{ text: 'route' }]);
  }
});

it('uses up no statement names for lists of any length: later statements are still planned once', async () => {
  const { db } = await loaded();
  const prepared = await db.$transaction(
    async (tx) => {
      for (let length = 1; length <= 600; length += 1) {
        await tx.worker.count({ where: { id: { in: Array.from({ length }, (_, index) => `w${index}`) } } });
      }
      await tx.$queryRaw`select 'after all of them' as text`;
      return tx.$queryRaw<{ name: string; statement: string }[]>`select name, statement from pg_prepared_statements`;
    },
    { timeout: 60_000 },
  );
  const matching = (part: string) => prepared.filter(({ statement }) => statement.includes(part));
  expect(matching("select 'after all of them'")).toHaveLength(1);
  expect(matching('"public"."workers"."id" IN (').length).toBeGreaterThan(0);
  expect(matching('"public"."workers"."id" IN (').length).toBeLessThanOrEqual(4);
}, 60_000);

it('distinguishes a deleted team from other violations', async () => {
  const { db, isTeamGone } = await loaded();
  const failure = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
  const where = { id: 'nothing' };
  expect(isTeamGone(await failure(db.team.findUniqueOrThrow({ where })))).toBe(true);
  expect(isTeamGone(await failure(db.user.findUniqueOrThrow({ where })))).toBe(false);
});

it('treats a system error that Prisma does not know as an unreachable database', async () => {
  // No connection can be opened to the broadcast address.
  const pool = new Connections({ connectionString: 'postgres://user@255.255.255.255/upwatch' });
  const client = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
  const errors = await Promise.all(
    [client.worker.count(), client.$queryRaw`select 1`].map((work) => work.then(String, (error: unknown) => error)),
  );
  expect(errors.map(isDatabaseAway)).toEqual([true, true]);
  await client.$disconnect();
});

it('survives a connection that breaks between two statements of its user', async () => {
  const connections = new Connections({ connectionString: process.env.DATABASE_URL, max: 3 });
  const [taken, other] = await Promise.all([connections.connect(), connections.connect()]);
  const { rows } = await taken.query<{ pid: number }>('select pg_backend_pid() as pid');
  const ended = new Promise<void>((resolve) => taken.once('end', resolve));
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  taken.release();
  other.release();
  await connections.end();
});

it('names its connections after the process, unless DATABASE_URL has a name', async () => {
  const { title } = process;
  process.title = 'upwatch-worker';
  onTestFinished(() => {
    process.title = title;
  });
  const { connectionConfig } = await loaded();
  const { withClient } = await import('@/server/platform/database/short-client');
  const ask = 'select application_name as name from pg_stat_activity where pid = pg_backend_pid()';
  const pool = new pg.Pool(connectionConfig(1));
  onTestFinished(() => pool.end());
  expect((await pool.query(ask)).rows).toEqual([{ name: 'upwatch-worker' }]);
  const nameAt = (url: string) => withClient(url, async (client) => (await client.query(ask)).rows[0].name);
  expect(await nameAt(testDatabase())).toBe('upwatch-worker');
  expect(await nameAt(`${testDatabase()}?application_name=mine`)).toBe('mine');
});
