import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import { canInvite } from './invitations/can-invite';
import { findMember } from './queries';
import type { Role } from './schema';

/**
 * Throws unless the caller's current role may issue and revoke invitations with these roles. The caller holds the team lock, so a demotion that was
 * committed before applies.
 * @throws AppError FORBIDDEN, UNAUTHENTICATED (no longer a member)
 */
export async function assertMayGrant(tx: Tx, { team, user }: TeamContext, roles: Role[]): Promise<void> {
  const issuer = (await findMember(tx, team.id, user.id))?.role ?? null;
  if (!issuer) throw new AppError('UNAUTHENTICATED', 'This credential no longer belongs to a team.');
  const refused = roles.find((role) => !canInvite(issuer, role));
  if (refused) {
    throw new AppError('FORBIDDEN', `The role ${issuer} cannot create or revoke invitations with the role ${refused}.`);
  }
}
