import { recordAudit } from '@/server/audit/record-audit';
import { sendConfirmation } from '@/server/notifications/confirmations/send-confirmation';
import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { getSetting } from './get-setting';
import { kinds } from './kinds';
import type { SummaryKind, SummarySetting, UpdateSummaryInput } from './schema';
import type { Subscriber } from './unsubscribe-link';

/** Switches a member's mails of a kind on or off. Of two concurrent requests with the same value, one changes it. */
export async function setActive(
  tx: Tx,
  ctx: VerbContext,
  kind: SummaryKind,
  { teamId, userId, email, isActive }: Subscriber & { email: string; isActive: boolean },
): Promise<void> {
  const { since, action, audited } = kinds[kind];
  const { count } = await tx.membership.updateMany({
    where: { teamId, userId, [since]: isActive ? null : { not: null } },
    data: { [since]: isActive ? new Date() : null },
  });
  if (count === 0) return;
  await recordAudit(tx, ctx, {
    teamId,
    action,
    target: { type: 'member', id: userId, name: email },
    before: { [audited]: !isActive },
    after: { [audited]: isActive },
  });
}

/**
 * Switches the caller's mails of a kind on or off. Sends a confirmation link to an address that is not confirmed for the team, again
 * with every request.
 * @throws AppError RATE_LIMITED (daily mail limit)
 */
export async function updateSetting(
  kind: SummaryKind,
  { ctx, input: { isActive } }: Call<UpdateSummaryInput>,
): Promise<SummarySetting> {
  const teamId = ctx.team.id;
  const { id: userId, email } = ctx.user;
  return ctx.db.$transaction(async (tx) => {
    await setActive(tx, ctx, kind, { teamId, userId, email, isActive });
    const setting = await getSetting(tx, kind, ctx);
    if (isActive && !setting.isConfirmed) {
      await assertMailQuota(tx, { by: { teamId }, to: setting.address });
      await enqueue(tx, sendConfirmation, { id: newId(), teamId, address: setting.address });
    }
    return setting;
  });
}
