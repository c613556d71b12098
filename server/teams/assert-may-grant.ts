import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import { canInvite } from './invitations/can-invite';
import { findMember } from './queries';
import type { Role } from './schema';

/** The error of an API key that would decide who owns the team. */
export function ownersAreForPeople(): AppError {
  return new AppError('FORBIDDEN', 'API keys cannot decide who is an owner. Send an access token.');
}

/**
 * Throws unless the caller's current role may issue and revoke invitations with these roles; keys may not for owners. The caller holds the team lock, so a demotion that was
 * committed before applies.
 * @throws AppError FORBIDDEN, UNAUTHENTICATED (no longer a member)
 */
export async function assertMayGrant(tx: Tx, { actor, team, user }: TeamContext, roles: Role[]): Promise<void> {
  if (actor.kind === 'key' && roles.includes('owner')) throw ownersAreForPeople();
  const issuer = (await findMember(tx, team.id, user.id))?.role ?? null;
  if (!issuer) throw new AppError('UNAUTHENTICATED', 'This credential no longer belongs to a team.');
  const refused = roles.find((role) => !canInvite(issuer, role));
  if (refused) {
    throw new AppError('FORBIDDEN', `The role ${issuer} cannot create or revoke invitations with the role ${refused}.`);
  }
}
