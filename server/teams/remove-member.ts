import { recordAudit } from '@/server/audit/record-audit';
import { unlinkChannels } from '@/server/notifications/unlink-channels';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { notifyAccess } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { assertOtherOwner } from './assert-other-owner';
import { findMember } from './queries';
import { reviseSchedules } from './revise-schedules';
import { revokeUnentitled } from './revoke-unentitled';
import { isStronger, type Member } from './schema';

/** The maximum number of incidents unassigned in the transaction; a job unassigns the rest. */
const UNASSIGNED_AT_ONCE = 500;

async function assertMayRemove(tx: Tx, { team, user }: TeamContext, member: Member): Promise<void> {
  const caller = await findMember(tx, team.id, user.id);
  if (!caller || !isStronger(caller.role, 'member')) {
    throw new AppError('FORBIDDEN', 'Only admins and owners can remove other members.');
  }
  if (!isStronger(caller.role, member.role)) {
    throw new AppError('FORBIDDEN', `The role ${caller.role} cannot remove a member with the role ${member.role}.`);
  }
}

/**
 * Removes a member, or lets the caller leave. Ends their sessions in this team, deletes the API keys they created in it and their contact methods,
 * revokes their invitations, and unassigns their incidents, so that none of these works again after a later invitation.
 * @throws AppError NOT_FOUND, FORBIDDEN (a role that is not weaker, or the creator of the key), LAST_OWNER
 */
export async function removeMember({ ctx, input: { userId } }: Call<{ userId: string }>): Promise<{ ok: true }> {
  const teamId = ctx.team.id;
  const leaves = userId === ctx.user.id;
  if (leaves && ctx.actor.kind === 'key') {
    throw new AppError('FORBIDDEN', 'An API key cannot remove its creator. Send an access token.');
  }
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const member = await findMember(tx, teamId, userId);
    if (!member) throw new AppError('NOT_FOUND', 'There is no such member in this team.');
    if (!leaves) await assertMayRemove(tx, ctx, member);
    if (member.role === 'owner') await assertOtherOwner(tx, teamId, userId);
    await reviseSchedules(tx, [teamId], userId);
    await unlinkChannels(tx, { teamId, ownerId: userId });
    await tx.membership.delete({ where: { teamId_userId: { teamId, userId } } });
    const assigned = { where: { teamId, assigneeId: userId }, limit: UNASSIGNED_AT_ONCE };
    await tx.incident.updateMany({ ...assigned, data: { assigneeId: null } });
    await revokeUnentitled(tx, ctx, { teamId, userId, left: null });
    await tx.apiKey.deleteMany({ where: { teamId, createdById: userId } });
    await tx.session.updateMany({ where: { teamId, userId }, data: { teamId: null } });
    await notifyAccess(tx, [userId]);
    await recordAudit(tx, ctx, {
      teamId,
      action: leaves ? 'member.leave' : 'member.remove',
      target: { type: 'member', id: userId, name: member.email },
      before: { ...member },
    });
  });
  return { ok: true };
}
