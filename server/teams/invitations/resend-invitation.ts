import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import type { NewInvitation } from '../schema';
import { issueInvitation } from './issue-invitation';
import { revokePending } from './revoke-pending';

/**
 * Replaces a pending or expired invitation with a new one and emails its link. The old link stops working.
 * @throws AppError NOT_FOUND, FORBIDDEN (a role above the caller's), PLAN_LIMIT_REACHED
 */
export async function resendInvitation({ ctx, input: { id } }: OnOneObject): Promise<{ invitation: NewInvitation }> {
  const teamId = ctx.team.id;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const [old] = await revokePending(tx, ctx, { id });
    if (!old) throw new AppError('NOT_FOUND', 'There is no such invitation.');
    const { email, role } = old;
    const invitation = await issueInvitation(tx, ctx, { email, role });
    const target = { type: 'invitation', id: invitation.id, name: email };
    await recordAudit(tx, ctx, { teamId, action: 'invitation.resend', target, after: { email, role, replaced: id } });
    return { invitation };
  });
}
