import type { Db } from '@/server/platform/db';

/** Counts the channels of each of these teams, without contact methods. The map has no entry for a team without channels. */
export async function countChannels(db: Db, teamIds: string[]): Promise<Map<string, number>> {
  const counts = await db.channel.groupBy({
    by: ['teamId'],
    where: { teamId: { in: [...new Set(teamIds)] }, ownerId: null },
    _count: { _all: true },
  });
  return new Map(counts.flatMap(({ teamId, _count }) => (teamId === null ? [] : [[teamId, _count._all] as const])));
}
