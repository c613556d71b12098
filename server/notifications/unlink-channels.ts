import type { Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { forgetFallbacks } from './fallback-queries';

/**
 * Takes channels or contact methods from their team, in a few rows: nobody finds them any more, and nothing is sent to them. A job removes them with
 * their deliveries (`removeDeleted`), because there may be any number of these. The caller holds the team locked.
 * @returns how many there were
 */
export async function unlinkChannels(tx: Tx, where: Prisma.ChannelWhereInput & { teamId: string }): Promise<number> {
  const found = await tx.channel.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await forgetFallbacks(tx, ids);
  const { count } = await tx.channel.updateMany({
    where: { id: { in: ids } },
    data: {
      ...{ teamId: null, ownerId: null, fallbackChannelId: null, failedAt: null, failingSince: null },
      ...{ reminderMinutes: 0, config: {}, templates: [] },
    },
  });
  await tx.monitorChannel.deleteMany({ where: { channelId: { in: ids } } });
  await tx.channelRoute.deleteMany({ where: { channelId: { in: ids } } });
  return count;
}
