import { recordAudit } from '@/server/audit/record-audit';
import { assertPassword } from '@/server/auth/assert-password';
import { hashNewPassword } from '@/server/auth/passwords';
import { replaceSession } from '@/server/auth/replace-session';
import type { ChangePasswordInput, SessionChanged } from '@/server/auth/schema';
import { AppError } from '@/server/platform/errors';
import { notifyAccess } from '@/server/platform/listen';
import type { Call, PersonContext } from '@/server/trpc/contexts';

/**
 * Changes the caller's password and ends all their sessions, including the current one: a caller with tokens gets a new pair, and the dashboard signs
 * in again with the new password. API keys stay valid. A wrong current password counts as a failed sign-in.
 * @throws AppError VALIDATION_ERROR (wrong current password, or a common new one), RATE_LIMITED, UNAUTHENTICATED (the session ended in between)
 */
export async function changePassword({
  ctx,
  input,
}: Call<ChangePasswordInput, PersonContext>): Promise<SessionChanged> {
  const { user, actor } = ctx;
  await assertPassword(ctx, input.currentPassword);
  const passwordHash = await hashNewPassword(input.newPassword, 'newPassword');
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, sessionVersion: actor.sessionVersion },
      data: { passwordHash, sessionVersion: { increment: 1 } },
    });
    if (count === 0) throw new AppError('UNAUTHENTICATED', 'This session has ended. Sign in again.');
    await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: new Date() } });
    await notifyAccess(tx, [user.id]);
    await recordAudit(tx, ctx, {
      teamId: null,
      action: 'account.password',
      target: { type: 'user', id: user.id, name: user.email },
    });
    const { team, role } = actor;
    const stay = team && role ? { teamId: team.id, role } : null;
    return replaceSession(tx, ctx, { team: stay, sessionVersion: actor.sessionVersion + 1 });
  });
}
