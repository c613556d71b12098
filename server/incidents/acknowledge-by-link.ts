import type { Tx } from '@/server/platform/db';
import type { GuestContext } from '@/server/trpc/contexts';
import { acknowledgeAs } from './acknowledge-incident';
import { type LinkedIncident, readLinkedIncident } from './get-acknowledgment';
import type { Acknowledgment } from './schema';

/** Who holds the link: the owner of a contact method, a signed-in member of the team, else someone who reads the channel. */
async function holderOf(
  tx: Tx,
  { actor }: GuestContext,
  { teamId, channelName, ownerName }: LinkedIncident,
): Promise<string> {
  if (ownerName !== null) return ownerName;
  if (actor.kind === 'user') {
    const userId = actor.user.id;
    const membership = await tx.membership.findUnique({ where: { teamId_userId: { teamId, userId } } });
    if (membership) return actor.user.name ?? actor.user.email;
  }
  return `Someone through ${channelName}`;
}

/**
 * Acknowledges the incident of a link. The token is the credential. Idempotent; a resolved incident is left as it is.
 * @throws AppError NOT_FOUND (an invalid or expired link, or a deleted channel or incident)
 */
export async function acknowledgeByLink({
  ctx,
  input: { token },
}: {
  ctx: GuestContext;
  input: { token: string };
}): Promise<Acknowledgment> {
  return ctx.db.$transaction(async (tx) => {
    const linked = await readLinkedIncident(tx, token);
    const authorName = await holderOf(tx, ctx, linked);
    await acknowledgeAs(tx, ctx, { id: linked.id, teamId: linked.teamId, authorName });
    return (await readLinkedIncident(tx, token)).shown;
  });
}
