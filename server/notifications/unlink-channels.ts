import type { Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { forgetFallbacks } from './fallback-queries';

/**
 * Removes channels or contact methods from their team, and clears their config and routing. They can no longer be found, and nothing is sent to them.
 * Updates few rows: the job `removeDeleted` later deletes them with their deliveries, which can be any number. The caller has locked the team.
 * @returns their IDs
 */
export async function unlinkChannels(tx: Tx, where: Prisma.ChannelWhereInput & { teamId: string }): Promise<string[]> {
  const found = await tx.channel.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await forgetFallbacks(tx, ids);
  await tx.channel.updateMany({
    where: { id: { in: ids } },
    data: {
      ...{ teamId: null, ownerId: null, fallbackChannelId: null, failedAt: null, failingSince: null },
      ...{ reminderMinutes: 0, name: '', config: {}, templates: [], lastError: null },
      ...{ lastMessage: Prisma.DbNull, previousSecret: Prisma.DbNull, previousSecretUntil: null },
    },
  });
  await tx.monitorChannel.deleteMany({ where: { channelId: { in: ids } } });
  await tx.channelRoute.deleteMany({ where: { channelId: { in: ids } } });
  return ids;
}
