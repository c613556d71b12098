import { recordAudit } from '@/server/audit/record-audit';
import { createAccount } from '@/server/auth/create-account';
import { hashNewPassword } from '@/server/auth/passwords';
import { issueTokens, startSession } from '@/server/auth/start-session';
import { planLimits } from '@/server/plans/plans';
import { sha256 } from '@/server/platform/crypto';
import { afterCommit } from '@/server/platform/database/held-transaction';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { Call, GuestContext } from '@/server/trpc/contexts';
import { rememberAddress } from '@/server/trpc/throttle';
import { findMember } from '../queries';
import { reviseSchedules } from '../revise-schedules';
import { type AcceptInvitationInput, type Joined, NewAccount } from '../schema';
import { canInvite } from './can-invite';
import { assertOpen } from './invitation-status';

interface Joiner {
  id: string;
  email: string;
  name: string | null;
  sessionVersion: number;
}

/**
 * Returns a function that returns the joining account: the caller's, or a new one that it creates in the same transaction. Hashes the password of a
 * new account before that, because it takes long.
 * @throws ZodError for invalid data of a new account
 */
async function prepareJoiner(
  { actor }: GuestContext,
  { email, password, name }: AcceptInvitationInput,
): Promise<(tx: Tx) => Promise<Joiner>> {
  if (actor.kind === 'user') return async () => ({ ...actor.user, sessionVersion: actor.sessionVersion });
  const account = NewAccount.parse({ email, password, name });
  const passwordHash = await hashNewPassword(account.password, 'password');
  const row = { email: account.email, name: account.name || null, passwordHash, isAdmin: false };
  return (tx) => createAccount(tx, row);
}

/**
 * Marks an invitation as used. The team lock serializes concurrent requests, so that only one succeeds. The issuer must still have the right to
 * invite; role changes and removals take the same lock.
 * @throws AppError INVITATION_INVALID, INVITATION_USED
 */
async function takeInvitation(tx: Tx, { id, teamId }: { id: string; teamId: string }) {
  await lockTeam(tx, teamId);
  const now = new Date();
  const row = await tx.invitation.findUnique({ where: { id }, include: { team: { select: { plan: true } } } });
  assertOpen(row, now);
  const issuer = row.createdById && (await findMember(tx, teamId, row.createdById));
  if (!issuer || !canInvite(issuer.role, row.role)) {
    throw new AppError('INVITATION_INVALID', 'The sender of this invitation no longer has permission to invite.');
  }
  await tx.invitation.update({ where: { id }, data: { usedAt: now } });
  return { role: row.role, plan: row.team.plan };
}

async function assertRoom(tx: Tx, teamId: string, cap: number | null): Promise<void> {
  if (cap === null || (await tx.membership.count({ where: { teamId } })) < cap) return;
  throw new AppError('MEMBER_LIMIT_REACHED', `This team has reached its limit of ${cap} members.`);
}

/**
 * Accepts an invitation. A signed-in user joins with their account, keeps their other teams and switches to this one; anyone else gets an account.
 * The response contains tokens for a new session; the caller's own session switches to the team too. Reports errors of the invitation before those of
 * the body.
 * @throws AppError INVITATION_INVALID, INVITATION_USED, VALIDATION_ERROR, ACCOUNT_EXISTS, ALREADY_MEMBER, MEMBER_LIMIT_REACHED, in this order
 */
export async function acceptInvitation({ ctx, input }: Call<AcceptInvitationInput, GuestContext>): Promise<Joined> {
  const { actor } = ctx;
  const invitation = await ctx.db.invitation.findUnique({ where: { tokenHash: sha256(input.token) } });
  assertOpen(invitation, new Date());
  const { id: invitationId, teamId } = invitation;
  const toJoiner = await prepareJoiner(ctx, input);
  const joined = await ctx.db.$transaction(async (tx) => {
    const { role, plan } = await takeInvitation(tx, invitation);
    const { id: userId, email, name, sessionVersion } = await toJoiner(tx);
    if (await tx.membership.findUnique({ where: { teamId_userId: { teamId, userId } } })) {
      throw new AppError('ALREADY_MEMBER', 'You are already a member of this team.');
    }
    await assertRoom(tx, teamId, planLimits[plan].members);
    await tx.membership.create({ data: { teamId, userId, role } });
    await reviseSchedules(tx, [teamId], userId);
    if (actor.kind === 'user') await tx.session.updateMany({ where: { id: actor.sessionId }, data: { teamId } });
    const target = { type: 'member', id: userId, name: email };
    await recordAudit(tx, ctx, { teamId, action: 'invitation.accept', target, after: { role, invitationId } });
    const session = await startSession(tx, ctx, { kind: 'tokens', userId, teamId, sessionVersion });
    return { user: { id: userId, email, name }, teamId, role, ...(await issueTokens(tx, session)) };
  });
  if (actor.kind === 'anonymous') await afterCommit(() => rememberAddress(joined.user.email, ctx.address));
  return joined;
}
