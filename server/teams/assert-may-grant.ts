import type { TeamContext } from '@/server/auth/contexts';
import { AppError } from '@/server/platform/errors';
import { isStronger, type Role } from './schema';

/**
 * Nobody hands out a role above their own, or takes an offer of one back.
 * @throws AppError FORBIDDEN
 */
export function assertMayGrant({ team }: TeamContext, role: Role): void {
  if (isStronger(role, team.role)) {
    throw new AppError(
      'FORBIDDEN',
      `With the role ${team.role} you cannot invite as ${role}, nor undo such an invitation.`,
    );
  }
}
