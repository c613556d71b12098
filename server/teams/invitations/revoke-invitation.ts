import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { revokePending } from './revoke-pending';

/**
 * Revokes an invitation; its link stops working.
 * @throws AppError NOT_FOUND (missing, used or already revoked), FORBIDDEN (a role above the caller's)
 */
export async function revokeInvitation({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const teamId = ctx.team.id;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const [revoked] = await revokePending(tx, ctx, { id });
    if (!revoked) throw new AppError('NOT_FOUND', 'There is no such invitation.');
    const { email, role } = revoked;
    const target = { type: 'invitation', id, name: email };
    await recordAudit(tx, ctx, { teamId, action: 'invitation.revoke', target, before: { email, role } });
  });
  return { ok: true };
}
