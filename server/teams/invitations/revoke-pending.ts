import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import { assertMayGrant } from '../assert-may-grant';
import type { InviteInput } from '../schema';
import { pendingInvitations } from './pending-invitations';

interface Revoked extends InviteInput {
  id: string;
}

/**
 * Revokes the pending invitations of the team with this ID or address and returns them. The caller holds the team lock, so that none of them is
 * accepted concurrently.
 * @throws AppError FORBIDDEN (a role above the caller's)
 */
export async function revokePending(
  tx: Tx,
  ctx: TeamContext,
  which: { email: string } | { id: string },
): Promise<Revoked[]> {
  const rows = await tx.invitation.findMany({
    where: { ...pendingInvitations(ctx.team.id), ...which },
    select: { id: true, email: true, role: true },
  });
  await assertMayGrant(
    tx,
    ctx,
    rows.map(({ role }) => role),
  );
  const ids = rows.map(({ id }) => id);
  await tx.invitation.updateMany({ where: { id: { in: ids } }, data: { revokedAt: new Date() } });
  return rows;
}
