import { invalidField } from '@/server/platform/errors';
import type { PersonContext } from '@/server/trpc/contexts';
import { countAttempt } from '@/server/trpc/throttle';
import { verifyPassword } from './passwords';

/**
 * Verifies the caller's current password. A wrong one counts as a failed sign-in.
 * @throws AppError VALIDATION_ERROR at `currentPassword`, RATE_LIMITED
 */
export async function assertPassword({ db, user, address }: PersonContext, password: string): Promise<void> {
  const succeeded = await countAttempt(user.email, address, { hasAccount: true });
  const row = await db.user.findUnique({ where: { id: user.id }, select: { passwordHash: true } });
  if (!(await verifyPassword(row?.passwordHash ?? null, password))) {
    throw invalidField('currentPassword', 'Incorrect password.');
  }
  await succeeded();
}
