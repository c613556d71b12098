import { issueLink } from '@/server/auth/account-links';
import type { RequestPasswordResetInput } from '@/server/auth/schema';
import { sendAccountMail } from '@/server/auth/send-account-mail';
import { seal } from '@/server/platform/crypto';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { takeResetQuota } from '@/server/platform/mail/quota';
import type { Call, VerbContext } from '@/server/trpc/contexts';

/** Emails a password reset link, unless a limit of links is reached. The response does not reveal whether an account exists. */
export async function requestPasswordReset({
  ctx,
  input: { email },
}: Call<RequestPasswordResetInput, VerbContext>): Promise<{ ok: true }> {
  const user = await ctx.db.user.findUnique({ where: { email }, select: { id: true } });
  if (!user) return { ok: true };
  await ctx.db.$transaction(async (tx) => {
    if (!(await takeResetQuota(tx, email))) return;
    const link = await issueLink(tx, { userId: user.id, purpose: 'password_reset' });
    if (!link) return;
    const sealedToken = seal(link.token);
    await enqueue(tx, sendAccountMail, { kind: 'password_reset', id: newId(), userId: user.id, sealedToken });
  });
  return { ok: true };
}
