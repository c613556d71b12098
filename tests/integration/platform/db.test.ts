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

it('a team that is gone is told from other things that are', async () => {
  const { db, isTeamGone } = await loaded();
  const failure = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
  const where = { id: 'nothing' };
  expect(isTeamGone(await failure(db.team.findUniqueOrThrow({ where })))).toBe(true);
  expect(isTeamGone(await failure(db.user.findUniqueOrThrow({ where })))).toBe(false);
});
