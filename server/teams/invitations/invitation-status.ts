import { AppError } from '@/server/platform/errors';
import type { Invitation as Row } from '@/server/platform/generated/prisma/client';
import type { InvitationStatus } from '../schema';

type Times = Pick<Row, 'usedAt' | 'revokedAt' | 'expiresAt'>;

/** Returns the status of an invitation at a given time. */
export function invitationStatus({ usedAt, revokedAt, expiresAt }: Times, now: Date): InvitationStatus {
  if (usedAt) return 'used';
  if (revokedAt) return 'revoked';
  return expiresAt > now ? 'open' : 'expired';
}

/**
 * Verifies that an invitation can be accepted at a given time.
 * @throws AppError INVITATION_USED, INVITATION_INVALID (unknown, revoked or expired)
 */
export function assertOpen<T extends Times>(row: T | null, now: Date): asserts row is T {
  if (!row) throw new AppError('INVITATION_INVALID', 'There is no such invitation.');
  const status = invitationStatus(row, now);
  switch (status) {
    case 'open':
      return;
    case 'used':
      throw new AppError('INVITATION_USED', 'This invitation has already been used.');
    case 'revoked':
      throw new AppError('INVITATION_INVALID', 'This invitation was revoked.');
    case 'expired':
      throw new AppError('INVITATION_INVALID', 'This invitation has expired.');
    default:
      status satisfies never;
  }
}
