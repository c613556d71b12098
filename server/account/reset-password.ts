import { recordAudit } from '@/server/audit/record-audit';
import { takeLink } from '@/server/auth/account-links';
import { hashNewPassword } from '@/server/auth/passwords';
import type { ResetPasswordInput } from '@/server/auth/schema';
import { setPassword } from '@/server/auth/set-password';
import type { Call, VerbContext } from '@/server/trpc/contexts';

/**
 * Sets a new password with the token of a link and ends all sessions of the account. Other reset links stop working.
 * @throws AppError VALIDATION_ERROR (invalid link, or a common password), RATE_LIMITED
 */
export async function resetPassword({
  ctx,
  input: { token, newPassword },
}: Call<ResetPasswordInput, VerbContext>): Promise<{ ok: true; email: string }> {
  const passwordHash = await hashNewPassword(newPassword, 'newPassword');
  return ctx.db.$transaction(async (tx) => {
    const { userId } = await takeLink(tx, { token, purpose: 'password_reset' });
    const email = await setPassword(tx, userId, passwordHash);
    const target = { type: 'user', id: userId, name: email };
    await recordAudit(tx, ctx, { teamId: null, action: 'account.password_reset', target });
    return { ok: true as const, email };
  });
}
