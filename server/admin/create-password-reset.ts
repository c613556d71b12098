import { recordAudit } from '@/server/audit/record-audit';
import { issueHandedOverLink } from '@/server/auth/account-links';
import type { Call, PersonContext } from '@/server/trpc/contexts';
import type { PasswordResetLink } from './schema';

/**
 * Creates a password reset link for an administrator to pass on when mail is not available. Only this response contains it; earlier links stop
 * working.
 * @throws AppError NOT_FOUND
 */
export async function createPasswordReset({
  ctx,
  input: { userId },
}: Call<{ userId: string }, PersonContext>): Promise<PasswordResetLink> {
  return ctx.db.$transaction(async (tx) => {
    const { url, expiresAt } = await issueHandedOverLink(tx, userId);
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
    const target = { type: 'user', id: userId, name: email };
    await recordAudit(tx, ctx, { teamId: null, action: 'user.password_reset_link', target });
    return { url, expiresAt: expiresAt.toISOString() };
  });
}
