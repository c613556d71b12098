import { sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import type { InvitationView } from '../schema';
import { invitationStatus } from './invitation-status';

/**
 * Returns the public details of an invitation, whatever its status.
 * @throws AppError NOT_FOUND
 */
export async function getInvitation({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<{ invitation: InvitationView }> {
  const row = await ctx.db.invitation.findUnique({
    where: { tokenHash: sha256(token) },
    include: { team: { select: { name: true } } },
  });
  if (!row) throw new AppError('NOT_FOUND', 'There is no such invitation.');
  const { team, role, email, expiresAt } = row;
  const status = invitationStatus(row, new Date());
  return { invitation: { teamName: team.name, role, email, status, expiresAt: expiresAt.toISOString() } };
}
