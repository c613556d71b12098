import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import { canInvite } from './invitations/can-invite';
import { findMember } from './queries';
import type { Role } from './schema';

/** Returns the error for an API key that would decide who is an owner. */
export function ownersAreForPeople(): AppError {
  return new AppError('FORBIDDEN', 'API keys cannot decide who is an owner. Send an access token.');
}

/**
 * Verifies that the caller's current role may issue and revoke invitations with these roles; API keys may not for owners. The caller holds the team
 * lock, so that a demotion that was committed before applies.
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
