import type { TeamContext } from '@/server/trpc/contexts';
import type { CalendarFeed } from './schema';

/** The caller's calendar feeds, newest first, without their addresses. */
export async function listFeeds({ ctx }: { ctx: TeamContext }): Promise<CalendarFeed[]> {
  const rows = await ctx.db.onCallFeed.findMany({
    where: { teamId: ctx.team.id, userId: ctx.user.id },
    orderBy: { id: 'desc' },
  });
  return rows.map(({ id, scheduleId, createdAt }) => ({ id, scheduleId, createdAt: createdAt.toISOString() }));
}
