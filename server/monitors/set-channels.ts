import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { holdChannels } from '@/server/platform/locks';

/**
 * Sets the channels that each of these monitors notifies; null means every channel of the team.
 * @throws AppError VALIDATION_ERROR if an ID is not a channel of the team
 */
export async function setChannels(tx: Tx, teamId: string, monitorIds: string[], ids: string[] | null): Promise<void> {
  const wanted = [...new Set(ids ?? [])];
  // Locks channels before the rows that reference them, in the same order as the deletion of a channel, to avoid deadlocks. Rejects a channel that
  // was deleted in the meantime, instead of violating a foreign key.
  const known = await holdChannels(tx, teamId, { ids: wanted, ofMonitors: monitorIds });
  const missing = wanted.find((id) => !known.has(id));
  if (missing !== undefined) throw invalidField('channelIds', 'One of these channels does not exist in this team.');
  await tx.monitorChannel.deleteMany({ where: { monitorId: { in: monitorIds } } });
  await tx.monitor.updateMany({ where: { id: { in: monitorIds } }, data: { allChannels: ids === null } });
  const pairs = monitorIds.flatMap((monitorId) => wanted.map((channelId) => ({ monitorId, channelId })));
  await tx.monitorChannel.createMany({ data: pairs });
}
