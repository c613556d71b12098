import { expect, it, vi } from 'vitest';
import { Prisma } from '@/server/platform/generated/prisma/client';

/** The module as pages, and once more as route handlers, have it. */
async function loaded() {
  vi.resetModules();
  return import('@/server/platform/db');
}

it('modules that were loaded apart give statements of the connections they share names apart', async () => {
  const [pages, routes] = [await loaded(), await loaded()];
  expect(pages.db).not.toBe(routes.db);
  for (let round = 0; round < 3; round += 1) {
    expect(await pages.readRows(pages.db, Prisma.sql`select 'page' as text`)).toEqual([{ text: 'page' }]);
    expect(await routes.readRows(routes.db, Prisma.sql`select 'route' as text`)).toEqual([{ text: 'route' }]);
    expect(await routes.db.$queryRaw`select 'client' as text`).toEqual([{ text: 'client' }]);
  }
});

it('lists of every length use up no names: what comes after them is still planned once', async () => {
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

it('a team that is gone is told from other things that are', async () => {
  const { db, isTeamGone } = await loaded();
  const failure = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
  const where = { id: 'nothing' };
  expect(isTeamGone(await failure(db.team.findUniqueOrThrow({ where })))).toBe(true);
  expect(isTeamGone(await failure(db.user.findUniqueOrThrow({ where })))).toBe(false);
});
