import { recordAudits } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { VerbContext } from '@/server/trpc/contexts';
import { canInvite } from './invitations/can-invite';
import { pendingInvitations } from './invitations/pending-invitations';
import type { Role } from './schema';

/**
 * Revokes the pending invitations that a user issued and may no longer issue. The caller holds the team lock.
 * @param left the role that the user has now; null if they left the team
 */
export async function revokeUnentitled(
  tx: Tx,
  ctx: VerbContext | 'system',
  { teamId, userId, left }: { teamId: string; userId: string; left: Role | null },
): Promise<void> {
  const issued = await tx.invitation.findMany({
    where: { ...pendingInvitations(teamId), createdById: userId },
    select: { id: true, email: true, role: true },
  });
  const lost = issued.filter(({ role }) => !canInvite(left, role));
  if (lost.length === 0) return;
  await tx.invitation.updateMany({
    where: { id: { in: lost.map(({ id }) => id) } },
    data: { revokedAt: new Date() },
  });
  const changes = lost.map(({ id, email, role }) => {
    const target = { type: 'invitation', id, name: email };
    return { teamId, action: 'invitation.revoke', target, before: { email, role } };
  });
  await recordAudits(tx, ctx, changes);
}
