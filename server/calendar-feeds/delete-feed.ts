import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import type { OnOneObject } from '@/server/trpc/contexts';

/**
 * Revokes a calendar feed of the caller. Its URL stops working at once.
 * @throws AppError NOT_FOUND
 */
export async function deleteFeed({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team, user } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const row = await tx.calendarFeed.findFirst({ where: { id, teamId: team.id, userId: user.id } });
    const { count } = await tx.calendarFeed.deleteMany({ where: { id, teamId: team.id, userId: user.id } });
    if (!row || count === 0) throw new AppError('NOT_FOUND', 'You have no such calendar feed.');
    const { kind, scheduleId } = row;
    const target = { type: `${kind}_feed`, id, name: user.name ?? user.email };
    await recordAudit(tx, ctx, { teamId: team.id, action: `${kind}_feed.delete`, target, before: { scheduleId } });
  });
  return { ok: true };
}
