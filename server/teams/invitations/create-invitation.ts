import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertMayGrant } from '../assert-may-grant';
import type { InviteInput, NewInvitation } from '../schema';
import { issueInvitation } from './issue-invitation';
import { revokePending } from './revoke-pending';

/**
 * Creates an invitation and replaces a pending one to the same address. Only this response contains the token. The email is queued in the same
 * transaction.
 * @throws AppError ALREADY_MEMBER, FORBIDDEN (a role above the caller's), PLAN_LIMIT_REACHED
 */
export async function createInvitation({
  ctx,
  input: { email, role },
}: Call<InviteInput>): Promise<{ invitation: NewInvitation }> {
  const teamId = ctx.team.id;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    await assertMayGrant(tx, ctx, [role]);
    if (await tx.membership.findFirst({ where: { teamId, user: { email } }, select: { userId: true } })) {
      throw new AppError('ALREADY_MEMBER', 'This person is already a member of the team.');
    }
    await revokePending(tx, ctx, { email });
    const invitation = await issueInvitation(tx, ctx, { email, role });
    const target = { type: 'invitation', id: invitation.id, name: email };
    await recordAudit(tx, ctx, { teamId, action: 'invitation.create', target, after: { email, role } });
    return { invitation };
  });
}
