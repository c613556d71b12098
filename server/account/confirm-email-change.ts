import { recordAudit } from '@/server/audit/record-audit';
import { takeLink } from '@/server/auth/account-links';
import type { ConfirmEmailChangeInput } from '@/server/auth/schema';
import { sendAccountMail } from '@/server/auth/send-account-mail';
import { violatedConstraint } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import type { Call, VerbContext } from '@/server/trpc/contexts';

/**
 * Changes the email address of an account to that of the link and notifies the old address. Sessions stay valid.
 * @throws AppError VALIDATION_ERROR (invalid link), ACCOUNT_EXISTS (another account has taken the address)
 */
export async function confirmEmailChange({
  ctx,
  input: { token },
}: Call<ConfirmEmailChangeInput, VerbContext>): Promise<{ ok: true; email: string }> {
  try {
    return await ctx.db.$transaction(async (tx) => {
      const { userId, email } = await takeLink(tx, { token, purpose: 'email_change' });
      if (!email) throw new Error('A link to change an address has none.');
      const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
      await tx.user.update({ where: { id: userId }, data: { email } });
      await tx.accountLink.deleteMany({ where: { userId } });
      const target = { type: 'user', id: userId, name: email };
      await recordAudit(tx, ctx, { teamId: null, action: 'account.email', target, before, after: { email } });
      await enqueue(tx, sendAccountMail, { kind: 'email_changed', id: newId(), to: before.email, email });
      return { ok: true as const, email };
    });
  } catch (error) {
    if (!violatedConstraint(error)?.includes('email')) throw error;
    throw new AppError('ACCOUNT_EXISTS', 'Another account has this email address.');
  }
}
