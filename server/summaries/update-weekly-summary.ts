import { recordAudit } from '@/server/audit/record-audit';
import { sendConfirmation } from '@/server/notifications/confirmations/send-confirmation';
import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { getWeeklySummary } from './get-weekly-summary';
import type { UpdateWeeklySummaryInput, WeeklySummary } from './schema';
import type { Subscriber } from './unsubscribe-link';

/** Switches a member's summary on or off. Of two concurrent requests with the same value, one changes it. */
export async function setActive(
  tx: Tx,
  ctx: VerbContext,
  { teamId, userId, email, isActive }: Subscriber & { email: string; isActive: boolean },
): Promise<void> {
  const { count } = await tx.membership.updateMany({
    where: { teamId, userId, weeklySummarySince: isActive ? null : { not: null } },
    data: { weeklySummarySince: isActive ? new Date() : null },
  });
  if (count === 0) return;
  await recordAudit(tx, ctx, {
    teamId,
    action: 'member.weekly_summary',
    target: { type: 'member', id: userId, name: email },
    before: { weeklySummary: !isActive },
    after: { weeklySummary: isActive },
  });
}

/**
 * Switches the caller's weekly summary of the team on or off. Sends a confirmation link to an address that is not confirmed for the team, again
 * with every request.
 * @throws AppError RATE_LIMITED (daily mail limit)
 */
export async function updateWeeklySummary({
  ctx,
  input: { isActive },
}: Call<UpdateWeeklySummaryInput>): Promise<WeeklySummary> {
  const teamId = ctx.team.id;
  const { id: userId, email } = ctx.user;
  return ctx.db.$transaction(async (tx) => {
    await setActive(tx, ctx, { teamId, userId, email, isActive });
    const summary = await getWeeklySummary(tx, ctx);
    if (isActive && !summary.isConfirmed) {
      await assertMailQuota(tx, { by: { teamId }, to: summary.address });
      await enqueue(tx, sendConfirmation, { id: newId(), teamId, address: summary.address });
    }
    return summary;
  });
}
