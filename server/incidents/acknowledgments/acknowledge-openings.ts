import type { Opening } from '@/server/notifications/acknowledgments/acknowledge-link';
import type { VerbContext } from '@/server/trpc/contexts';
import { inParts } from '../in-parts';
import { acknowledgeAll } from './acknowledge-incident';

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
  const acted = await inParts({ db: ctx.db, teamId, items: openings }, (tx, part) => {
    const ids = part.map(({ incidentId }) => incidentId);
    return acknowledgeAll(tx, ctx, { ids, teamId, authorName }, part);
  });
  return acted.filter(({ isChanged }) => isChanged).length;
}
