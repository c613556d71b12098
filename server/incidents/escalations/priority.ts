import type { Tx } from '@/server/platform/db';

/** A team with this many due escalations gets the next lower priority, as with messages (notifications/deliveries/queue-deliveries.ts). */
const PER_STEP = 20;
/** Beyond that, a team has the lowest priority anyway. */
const MOST_COUNTED = 400;

/** The priority of the escalation that is after `earlier` others of its team. */
export const priorityAfter = (earlier: number) => Math.floor(Math.min(earlier, MOST_COUNTED) / PER_STEP);

/**
 * Returns the queue priorities of `count` new jobs that advance escalations of a team at a time, lowest first: the more escalations of the team are
 * due until then, the lower. So an outage of a thousand monitors of one team does not delay another team's single alert.
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
