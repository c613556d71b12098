import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { holdChannels } from '@/server/platform/locks';

/**
 * Sets which channels hear of a monitor; null is every channel of the team.
 * @throws AppError VALIDATION_ERROR where an id is no channel of the team
 */
export async function setChannels(tx: Tx, teamId: string, monitorId: string, ids: string[] | null): Promise<void> {
  const wanted = [...new Set(ids ?? [])];
  // The channels before the rows that name them, as the deletion of a channel takes them: one order, no deadlock. Held,
  // so that a channel deleted meanwhile is refused here instead of breaking a foreign key.
  const known = await holdChannels(tx, teamId, { ids: wanted, ofMonitor: monitorId });
  const missing = wanted.find((id) => !known.has(id));
  if (missing !== undefined) throw invalidField('channelIds', 'One of these channels does not exist in this team.');
  await tx.monitorChannel.deleteMany({ where: { monitorId } });
  await tx.monitor.update({ where: { id: monitorId }, data: { allChannels: ids === null } });
  await tx.monitorChannel.createMany({ data: wanted.map((channelId) => ({ monitorId, channelId })) });
}
