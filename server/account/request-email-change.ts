import { issueLink } from '@/server/auth/account-links';
import { assertPassword } from '@/server/auth/assert-password';
import type { RequestEmailChangeInput } from '@/server/auth/schema';
import { sendAccountMail } from '@/server/auth/send-account-mail';
import { seal } from '@/server/platform/crypto';
import { invalidField, rateLimited } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { Call, PersonContext } from '@/server/trpc/contexts';

const WAIT_SECONDS = 60 * 60;

/**
 * Emails a link to a new address; the account uses the address once the link is confirmed. Does not reveal to the caller whether another account uses
 * the address.
 * @throws AppError VALIDATION_ERROR (wrong password, or the current address), RATE_LIMITED
 */
export async function requestEmailChange({
  ctx,
  input: { email, currentPassword },
}: Call<RequestEmailChangeInput, PersonContext>): Promise<{ ok: true }> {
  const { user } = ctx;
  if (email === user.email) throw invalidField('email', 'This is already your email address.');
  await assertPassword(ctx, currentPassword);
  await ctx.db.$transaction(async (tx) => {
    const link = await issueLink(tx, { userId: user.id, purpose: 'email_change', email });
    if (!link)
      throw rateLimited('Too many links were sent. Try again in an hour.', { limit: 5, resetSeconds: WAIT_SECONDS });
    await assertMailQuota(tx, { by: { userId: user.id }, to: email });
    const sealedToken = seal(link.token);
    await enqueue(tx, sendAccountMail, { kind: 'email_change', id: newId(), to: email, sealedToken });
  });
  return { ok: true };
}
