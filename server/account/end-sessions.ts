import { AppError } from '@/server/platform/errors';
import { notifyAccess } from '@/server/platform/listen';
import type { Call, PersonContext } from '@/server/trpc/contexts';

/**
 * Ends one of the caller's sessions.
 * @throws AppError NOT_FOUND
 */
export async function endSession({ ctx, input: { id } }: Call<{ id: string }, PersonContext>) {
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.session.updateMany({
      where: { id, userId: ctx.user.id, revokedAt: null, expiresAt: { gt: new Date() } },
      data: { revokedAt: new Date() },
    });
    if (count === 0) throw new AppError('NOT_FOUND', 'There is no such session.');
    await notifyAccess(tx, [ctx.user.id]);
    return { ok: true as const };
  });
}

/**
 * Ends all of the caller's sessions except the current one.
 * @returns the number of ended sessions
 */
export async function endOtherSessions({ ctx }: { ctx: PersonContext }) {
  const { user, actor } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.session.updateMany({
      where: { userId: user.id, id: { not: actor.sessionId }, revokedAt: null, expiresAt: { gt: new Date() } },
      data: { revokedAt: new Date() },
    });
    if (count > 0) await notifyAccess(tx, [user.id]);
    return { ended: count };
  });
}
