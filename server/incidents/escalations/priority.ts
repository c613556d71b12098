import type { Tx } from '@/server/platform/db';

/**
 * After each so many due escalations of a team, its next ones have a lower priority, as with messages (notifications/deliveries/queue-deliveries.ts).
 */
const PER_STEP = 20;
/** More escalations of a team are not counted, because they have the lowest priority anyway. */
const MOST_COUNTED = 400;

/** Returns the priority of an escalation before which `earlier` others of its team are due. A higher number is a lower priority. */
export const priorityAfter = (earlier: number) => Math.floor(Math.min(earlier, MOST_COUNTED) / PER_STEP);

/**
 * Returns the priorities of `count` new jobs that advance escalations of a team at `at`, in ascending numbers: the more escalations of the team are
 * due by then, the lower the priority. So an outage of a thousand monitors of one team does not delay another team's single alert.
 */
export async function escalationPriorities(tx: Tx, teamId: string, at: Date, count: number): Promise<number[]> {
  const nextAt = { lte: at };
  const due = await tx.escalation.findMany({
    where: { teamId, nextAt },
    select: { incidentId: true },
    take: MOST_COUNTED,
  });
  const earlier = Math.max(0, due.length - count);
  return Array.from({ length: count }, (_, index) => priorityAfter(earlier + index));
}
