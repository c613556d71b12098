import type { Call, GuestContext } from '@/server/trpc/contexts';
import type { Acknowledgment } from '../schema';
import { acknowledgeOpenings } from './acknowledge-openings';
import { type LinkedIncidents, readLinkedIncidents } from './get-acknowledgment';

/**
 * Returns the name for timelines: that of the owner of the contact method, else of the signed-in member of the team, else "Someone through
 * <channel>".
 */
async function holderOf(
  { actor, db }: GuestContext,
  { teamId, channelName, ownerName }: LinkedIncidents,
): Promise<string> {
  if (ownerName !== null) return ownerName;
  if (actor.kind === 'user') {
    const userId = actor.user.id;
    const membership = await db.membership.findUnique({ where: { teamId_userId: { teamId, userId } } });
    if (membership) return actor.user.name ?? actor.user.email;
  }
  return `Someone through ${channelName}`;
}

/**
 * Acknowledges the incidents of a link. The token is the credential. Timelines name the owner of a contact method, else the signed-in member, else
 * the channel. Idempotent: skips incidents that are resolved, or were reopened after the message.
 * @throws AppError NOT_FOUND (an invalid or expired link, or a deleted channel or incident)
 */
export async function acknowledgeByLink({
  ctx,
  input: { token },
}: Call<{ token: string }, GuestContext>): Promise<Acknowledgment> {
  const linked = await readLinkedIncidents(ctx.db, token);
  const { teamId, openings } = linked;
  await acknowledgeOpenings(ctx, { teamId, openings, authorName: await holderOf(ctx, linked) });
  return (await readLinkedIncidents(ctx.db, token)).shown;
}
