import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditChannel } from './audit-channel';
import { channelNotFound, findChannel } from './queries';
import { unlinkChannels } from './unlink-channels';

/**
 * Deletes a channel; pending messages are not sent. A job removes its deliveries, because there may be any number of them.
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
    if ((await unlinkChannels(tx, { id, teamId })).length === 0) throw channelNotFound();
    await auditChannel(tx, ctx, 'channel.delete', row, null);
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
  });
  return { ok: true };
}
