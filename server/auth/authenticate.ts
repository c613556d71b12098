import { AppError } from '@/server/platform/errors';
import type { User as UserRow } from '@/server/platform/generated/prisma/client';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { countAttempt } from '@/server/trpc/throttle';
import { verifyPassword } from './passwords';
import type { LogInInput } from './schema';

/**
 * Finds the account for an email address and password. Response and timing are the same for a wrong password and an unknown address.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export async function authenticate({ ctx, input }: Call<LogInInput, VerbContext>): Promise<UserRow> {
  const user = await ctx.db.user.findUnique({ where: { email: input.email } });
  const succeeded = await countAttempt(input.email, ctx.address, { hasAccount: user !== null });
  const matches = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !matches) throw new AppError('UNAUTHENTICATED', 'Incorrect email or password.');
  await succeeded();
  return user;
}
