import type { Opening } from '@/server/notifications/acknowledgments/acknowledge-link';
import type { VerbContext } from '@/server/trpc/contexts';
import { acknowledgeAll } from './acknowledge-incident';

/** The number of incidents that one transaction locks. */
const AT_ONCE = 100;

/** Incidents with their number of reopenings, and who acknowledges them. */
export interface OpeningsToAcknowledge {
  teamId: string;
  openings: Opening[];
  authorName: string;
}

/**
 * Acknowledges those of the incidents that are open and were not reopened since. Idempotent: a second call continues an interrupted one.
 * @returns how many it acknowledged
 */
export async function acknowledgeOpenings(
  ctx: VerbContext,
  { teamId, openings, authorName }: OpeningsToAcknowledge,
): Promise<number> {
  let count = 0;
  for (let at = 0; at < openings.length; at += AT_ONCE) {
    const some = openings.slice(at, at + AT_ONCE);
    const ids = some.map(({ incidentId }) => incidentId);
    const acted = await ctx.db.$transaction((tx) => acknowledgeAll(tx, ctx, { ids, teamId, authorName }, some));
    count += acted.filter(({ isChanged }) => isChanged).length;
  }
  return count;
}
