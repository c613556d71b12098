import type { Db } from '@/server/platform/db';

/**
 * The maximum number of deliveries that one transaction writes, about half a second's work, because others wait for its locks. Fits 500 events of a
 * team with three channels.
 */
export const MOST_DELIVERIES = 1_500;

/** Counts the channels of each of these teams, without contact methods. The map has no entry for a team without channels. */
export async function countChannels(db: Db, teamIds: string[]): Promise<Map<string, number>> {
  const counts = await db.channel.groupBy({
    by: ['teamId'],
    where: { teamId: { in: [...new Set(teamIds)] }, ownerId: null },
    _count: { _all: true },
  });
  return new Map(counts.flatMap(({ teamId, _count }) => (teamId === null ? [] : [[teamId, _count._all] as const])));
}

/** Returns the number of events that one transaction may notify of, at least one, if each goes to all channels of the team. */
export async function mostEvents(db: Db, teamId: string): Promise<number> {
  const channels = (await countChannels(db, [teamId])).get(teamId) ?? 0;
  return Math.max(1, Math.floor(MOST_DELIVERIES / Math.max(1, channels)));
}
