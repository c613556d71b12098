import type { Tx } from '@/server/platform/db';
import { raiseSequences } from './queries';

/**
 * Raises the revision that on-call schedules have in calendars if they name a person who joins or leaves their team: the person's turns are somebody's
 * only while they are a member, and their overrides end with the membership. The caller holds the teams locked, and deletes a membership after this.
 */
export async function reviseSchedules(tx: Tx, teamIds: string[], userId: string): Promise<void> {
  const naming = await tx.onCallSchedule.findMany({
    where: {
      teamId: { in: teamIds },
      OR: [{ layers: { array_contains: [{ userIds: [userId] }] } }, { overrides: { some: { userId } } }],
    },
    select: { id: true },
  });
  await raiseSequences(
    tx,
    naming.map(({ id }) => id),
  );
}
