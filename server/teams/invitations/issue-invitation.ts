import { planLimits } from '@/server/plans/plans';
import { randomToken, seal, sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { assertMailQuota } from '@/server/platform/mail/quota';
import { DAY_MS } from '@/server/time/schema';
import type { TeamContext } from '@/server/trpc/contexts';
import type { InviteInput, NewInvitation } from '../schema';
import { invitationUrl } from './invitation-url';
import { pendingInvitations } from './pending-invitations';
import { sendInvitation } from './send-invitation';

const LIFE_MS = 7 * DAY_MS;

async function assertRoom(tx: Tx, { team: { id: teamId, plan } }: TeamContext): Promise<void> {
  const cap = planLimits[plan].members;
  if (cap === null) return;
  const members = await tx.membership.count({ where: { teamId } });
  const open = await tx.invitation.count({ where: pendingInvitations(teamId, new Date()) });
  if (members + open >= cap) {
    throw new AppError('PLAN_LIMIT_REACHED', `The ${plan} plan allows ${cap} members, including pending invitations.`);
  }
}

/**
 * Stores an invitation that is valid for 7 days and queues its email. Stores only the SHA-256 of the token. The caller holds the team lock, so the
 * count of members and pending invitations stays correct.
 * @throws AppError PLAN_LIMIT_REACHED, RATE_LIMITED (daily email limit)
 */
export async function issueInvitation(tx: Tx, ctx: TeamContext, { email, role }: InviteInput): Promise<NewInvitation> {
  await assertRoom(tx, ctx);
  await assertMailQuota(tx, { by: { teamId: ctx.team.id }, to: email });
  const id = newId();
  const token = randomToken();
  const expiresAt = new Date(Date.now() + LIFE_MS);
  await tx.invitation.create({
    data: { id, teamId: ctx.team.id, email, role, tokenHash: sha256(token), createdById: ctx.user.id, expiresAt },
  });
  await enqueue(tx, sendInvitation, { invitationId: id, sealedToken: seal(token) });
  return { id, email, role, token, url: invitationUrl(token), expiresAt: expiresAt.toISOString() };
}
