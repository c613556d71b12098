import type { Tx } from '@/server/platform/db';
import { raiseSequences } from './queries';

/**
 * Raises the calendar revisions of the on-call schedules that name a person who joins or leaves their team. Calendars change because a person's turns
 * count only during the membership, and overrides end with it. The caller holds the team locks, and deletes a membership after this.
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
