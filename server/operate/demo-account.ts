import { forceDeleteUser } from '@/server/admin/force-delete-user';
import { recordAudit } from '@/server/audit/record-audit';
import { createAccount } from '@/server/auth/create-account';
import { hashPassword } from '@/server/auth/passwords';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { createTeam } from '@/server/teams/create-team';

interface Account {
  email: string;
  password: string;
  teamName: string;
}

/**
 * Creates an account with a team, whatever SIGNUPS is.
 * @throws AppError FORBIDDEN if it would be the first account, which becomes the administrator of the instance
 */
export async function createDemoAccount({ email, password, teamName }: Account): Promise<void> {
  if ((await db.user.findFirst({ select: { id: true } })) === null)
    throw new AppError('FORBIDDEN', 'Sign up first: the first account becomes the administrator of the instance.');
  const passwordHash = await hashPassword(password);
  await db.$transaction(async (tx) => {
    const { id } = await createAccount(tx, { email, name: 'Demo', passwordHash, isAdmin: false });
    const teamId = await createTeam(tx, { name: teamName, ownerId: id });
    const target = { type: 'user', id, name: email };
    await recordAudit(tx, 'system', { teamId, action: 'account.create', target, after: { teamName, isAdmin: false } });
  });
}

/** Deletes the account and its team with everything in it. Does nothing if it is gone. */
export async function deleteDemoAccount(email: string): Promise<void> {
  const user = await db.user.findUnique({ where: { email }, select: { id: true } });
  if (user) await forceDeleteUser({ ctx: 'system', input: { userId: user.id, reason: 'upwatch demo --remove' } });
}

/** Closes the connections to the database. */
export const disconnect = (): Promise<void> => db.$disconnect();
