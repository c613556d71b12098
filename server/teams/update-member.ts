import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { ownersAreForPeople } from './assert-may-grant';
import { assertOtherOwner } from './assert-other-owner';
import { findMember } from './queries';
import { revokeUnentitled } from './revoke-unentitled';
import type { Member, UpdateMemberInput } from './schema';

/**
 * Changes the role of a member. Their sessions and keys have the new role from the next request on. Revokes invitations that they can no longer
 * issue.
 * @throws AppError OWN_ROLE_CHANGE, MEMBER_NOT_FOUND, LAST_OWNER, FORBIDDEN (no longer an owner, or a key that changes owners)
 */
export async function updateMember({
  ctx,
  input: { userId, role },
}: Call<UpdateMemberInput>): Promise<{ data: Member }> {
  const teamId = ctx.team.id;
  if (userId === ctx.user.id) throw new AppError('OWN_ROLE_CHANGE', 'You cannot change your own role.');
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const before = await findMember(tx, teamId, userId);
    if (!before) throw new AppError('MEMBER_NOT_FOUND', 'There is no such member in this team.');
    if (ctx.actor.kind === 'key' && (before.role === 'owner' || role === 'owner')) throw ownersAreForPeople();
    if (before.role === 'owner' && role !== 'owner') await assertOtherOwner(tx, teamId, userId);
    // Two owners may demote each other concurrently. The second request then no longer comes from an owner.
    const caller = await findMember(tx, teamId, ctx.user.id);
    if (caller?.role !== 'owner') throw new AppError('FORBIDDEN', 'You are no longer an owner of this team.');
    if (before.role === role) return { data: before };
    await tx.membership.update({ where: { teamId_userId: { teamId, userId } }, data: { role } });
    await revokeUnentitled(tx, ctx, { teamId, userId, left: role });
    const data = { ...before, role };
    const target = { type: 'member', id: userId, name: before.email };
    await recordAudit(tx, ctx, { teamId, action: 'member.update', target, before: { ...before }, after: data });
    return { data };
  });
}
