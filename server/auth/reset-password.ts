import { recordAudit } from '@/server/audit/record-audit';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { notifyAccess } from '@/server/platform/listen';
import { takeLink } from './account-links';
import type { VerbContext } from './contexts';
import { hashNewPassword } from './passwords';
import type { ResetPasswordInput } from './schema';
import { sendAccountMail } from './send-account-mail';

/**
 * Sets a new password by a link, and ends every session of the account. Other links to reset it stop working.
 * @throws AppError VALIDATION_ERROR (the link does not work, a common password), RATE_LIMITED
 */
export async function resetPassword({
  ctx,
  input: { token, newPassword },
}: {
  ctx: VerbContext;
  input: ResetPasswordInput;
}): Promise<{ ok: true; email: string }> {
  const passwordHash = await hashNewPassword(newPassword, 'newPassword');
  return ctx.db.$transaction(async (tx) => {
    const { userId } = await takeLink(tx, { token, purpose: 'password_reset' });
    const { email } = await tx.user.update({
      where: { id: userId },
      data: { passwordHash, sessionVersion: { increment: 1 } },
    });
    await tx.accountLink.deleteMany({ where: { userId, purpose: 'password_reset' } });
    await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
    await notifyAccess(tx, [userId]);
    const target = { type: 'user', id: userId, name: email };
    await recordAudit(tx, ctx, { teamId: null, action: 'account.password_reset', target });
    await enqueue(tx, sendAccountMail, { kind: 'password_changed', id: newId(), userId });
    return { ok: true as const, email };
  });
}
