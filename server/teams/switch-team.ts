import { replaceSession } from '@/server/auth/replace-session';
import type { SessionChanged } from '@/server/auth/schema';
import { AppError } from '@/server/platform/errors';
import type { Call, PersonContext } from '@/server/trpc/contexts';

/**
 * Switches to another team of the caller. A caller with tokens gets a new session and keeps the old one, so that a script can use two teams; a
 * dashboard session changes its team.
 * @throws AppError NOT_FOUND (missing, or not a member)
 */
export async function switchTeam({
  ctx,
  input: { teamId },
}: Call<{ teamId: string }, PersonContext>): Promise<SessionChanged> {
  const { user, actor } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const membership = await tx.membership.findUnique({ where: { teamId_userId: { teamId, userId: user.id } } });
    if (!membership) throw new AppError('NOT_FOUND', 'You are not a member of this team.');
    if (actor.sessionKind === 'dashboard') {
      await tx.session.updateMany({ where: { id: actor.sessionId }, data: { teamId } });
    }
    return replaceSession(tx, ctx, { team: membership, sessionVersion: actor.sessionVersion });
  });
}
