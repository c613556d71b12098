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
 * Acknowledges the incidents that are open and have the given number of reopenings; skips the others. Works in several transactions. Idempotent: a
 * second call continues an interrupted one.
 * @returns how many incidents it acknowledged
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
