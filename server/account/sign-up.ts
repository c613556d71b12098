import { recordAudit } from '@/server/audit/record-audit';
import { createAccount } from '@/server/auth/create-account';
import { hashNewPassword } from '@/server/auth/passwords';
import type { SignedIn, SignUpInput } from '@/server/auth/schema';
import { issueTokens, startSession } from '@/server/auth/start-session';
import { afterCommit } from '@/server/platform/database/held-transaction';
import type { Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { lockSignUps } from '@/server/platform/locks';
import { createTeam } from '@/server/teams/create-team';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { rememberAddress } from '@/server/trpc/throttle';

/**
 * Whether `tx` creates the instance's first account. Concurrent sign-ups wait for each other only while there is no account, so that only one of them
 * is the first.
 */
async function isFirstAccount(tx: Tx): Promise<boolean> {
  if (await tx.user.findFirst({ select: { id: true } })) return false;
  await lockSignUps(tx);
  return (await tx.user.findFirst({ select: { id: true } })) === null;
}

function assertOpen(isFirst: boolean): void {
  if (env.signups === 'invite' && !isFirst) throw new AppError('FORBIDDEN', 'Sign-up is by invitation only.');
}

/**
 * Creates an account, a team for it and a session with tokens. The first account of the instance becomes its administrator and needs no invitation.
 * @throws AppError ACCOUNT_EXISTS, FORBIDDEN (SIGNUPS=invite), RATE_LIMITED
 */
export async function signUp({ ctx, input }: Call<SignUpInput, VerbContext>): Promise<SignedIn> {
  const { email } = input;
  const name = input.name || null;
  // Checked before the expensive hash, and again under the lock.
  if (env.signups === 'invite') assertOpen((await ctx.db.user.findFirst({ select: { id: true } })) === null);
  const passwordHash = await hashNewPassword(input.password, 'password');
  const signedIn = await ctx.db.$transaction(async (tx) => {
    const isAdmin = await isFirstAccount(tx);
    assertOpen(isAdmin);
    const { id, sessionVersion } = await createAccount(tx, { email, name, passwordHash, isAdmin });
    const teamName = input.teamName || `${name ?? email.split('@')[0]}'s team`;
    const teamId = await createTeam(tx, { name: teamName, ownerId: id });
    const target = { type: 'user', id, name: email };
    await recordAudit(tx, ctx, { teamId, action: 'account.create', target, after: { name, teamName, isAdmin } });
    const session = await startSession(tx, ctx, { kind: 'tokens', userId: id, teamId, sessionVersion });
    return { user: { id, email, name }, teamId, role: 'owner' as const, ...(await issueTokens(tx, session)) };
  });
  await afterCommit(() => rememberAddress(email, ctx.address));
  return signedIn;
}
