import { cutPage } from '@/server/lists/cut-page';
import type { ExternalIdPage } from '@/server/lists/schema';
import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { eachSchedule, readNames, toSchedule } from './queries';
import { shiftRange } from './rota/shift-at';
import type { Schedule } from './schema';

/** Returns a page of the team's schedules, newest first, with who is on call now. The cursor is the last ID of the previous page. */
export async function listSchedules(
  db: Db,
  teamId: string,
  { limit, cursor, externalId }: ExternalIdPage,
): Promise<{ schedules: Schedule[]; nextCursor: string | null }> {
  const now = new Date();
  const rows = await db.onCallSchedule.findMany({
    where: {
      teamId,
      ...(cursor !== undefined && { id: { lt: cursor } }),
      ...(externalId !== undefined && { externalId }),
    },
    select: { id: true },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  const ids = page.map(({ id }) => id);
  const names = await readNames(db, teamId);
  const schedules: Schedule[] = [];
  for await (const each of eachSchedule(db, teamId, { ids, ...shiftRange(now) }, names)) {
    await takeLoopTurn(teamId);
    schedules.push(toSchedule(each, now, names));
  }
  return { schedules, nextCursor };
}
