import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditChannel } from './audit-channel';
import { channelNotFound, findChannel } from './queries';

/**
 * Deletes a channel with its deliveries; pending messages are not sent.
 * @param ownerId for a contact method of this member instead of a channel of the team
 * @throws AppError NOT_FOUND
 */
export async function deleteChannel({ ctx, input }: OnOneObject, ownerId: string | null = null): Promise<{ ok: true }> {
  const { id: teamId } = ctx.team;
  const { id } = input;
  await ctx.db.$transaction(async (tx) => {
    // It may be the team's fallback: the team's row changes with it, and is locked before channels.
    await lockTeam(tx, teamId);
    const row = await findChannel(tx, teamId, id, ownerId);
    const { count } = await tx.channel.deleteMany({ where: { id, teamId } });
    if (count === 0) throw channelNotFound();
    await auditChannel(tx, ctx, 'channel.delete', row, null);
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
  });
  return { ok: true };
}
