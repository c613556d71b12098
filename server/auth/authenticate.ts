import { AppError } from '@/server/platform/errors';
import type { User as UserRow } from '@/server/platform/generated/prisma/client';
import type { VerbContext } from '@/server/trpc/contexts';
import { countAttempt } from '@/server/trpc/throttle';
import { verifyPassword } from './passwords';
import type { LogInInput } from './schema';

/**
 * Finds the account of an address and password. What is answered, and how long that takes, is the same for a wrong
 * password and for an address without an account.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export async function authenticate({ ctx, input }: { ctx: VerbContext; input: LogInInput }): Promise<UserRow> {
  const user = await ctx.db.user.findUnique({ where: { email: input.email } });
  const succeeded = await countAttempt(input.email, ctx.address, { hasAccount: user !== null });
  const matches = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !matches) throw new AppError('UNAUTHENTICATED', 'Incorrect email or password.');
  await succeeded();
  return user;
}
