import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';

/**
 * Verifies that a team has an owner besides `userId`. The caller holds the team lock, so that this stays true.
 * @throws AppError LAST_OWNER
 */
export async function assertOtherOwner(tx: Tx, teamId: string, userId: string): Promise<void> {
  const others = await tx.membership.count({ where: { teamId, role: 'owner', userId: { not: userId } } });
  if (others === 0)
    throw new AppError('LAST_OWNER', 'A team needs at least one owner. Make someone else an owner first.');
}
