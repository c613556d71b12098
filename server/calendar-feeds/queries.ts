import type { CalendarFeed as Row } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import type { CalendarFeed } from './schema';

/** A feed as returned, without its address. */
export function toFeed({ id, kind, scheduleId, createdAt }: Row): CalendarFeed {
  return { id, kind, scheduleId, createdAt: createdAt.toISOString() };
}

/** The caller's feeds, newest first. */
export async function listFeeds({ db, team, user }: TeamContext): Promise<CalendarFeed[]> {
  const rows = await db.calendarFeed.findMany({ where: { teamId: team.id, userId: user.id }, orderBy: { id: 'desc' } });
  return rows.map(toFeed);
}
