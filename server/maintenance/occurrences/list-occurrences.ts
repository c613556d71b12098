import type { Db } from '@/server/platform/db';
import type { Period } from '@/server/time/edges';
import { readWindows, withChanges } from '../listed-windows';
import { keptOccurrences } from '../recurrence/kept-occurrences';
import { type OccurrencesInput, rangeOf, type WindowOccurrence } from '../schema';

/** The maximum number of occurrences in a response. */
const MOST = 2_000;

/**
 * Returns the occurrences of the team's windows that overlap a range, soonest first, at most `MOST`. Computes past ones from the current times of the
 * windows too, not from the maintenance that took place.
 */
export async function listOccurrences(db: Db, teamId: string, input: OccurrencesInput): Promise<WindowOccurrence[]> {
  const range = rangeOf(input, new Date());
  const { from: start, to: end } = range;
  const where = { startsAt: { lt: end }, OR: [{ recurrence: { not: null } }, { endsAt: { gt: start } }] };
  let soonest: (Period & { maintenanceWindowId: string; title: string })[] = [];
  /** Occurrences that start later are not among the soonest. */
  let latest = Number.POSITIVE_INFINITY;
  const keepSoonest = () => {
    soonest = soonest.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()).slice(0, MOST);
    latest = soonest[MOST - 1]?.startsAt.getTime() ?? latest;
  };
  for await (const windows of readWindows(db, teamId, where)) {
    const expanded = await keptOccurrences(
      windows,
      () => range,
      (missing) => withChanges(db, missing),
    );
    for (const { window, occurrences } of expanded) {
      for (const each of occurrences) {
        if (each.startsAt.getTime() > latest) break;
        soonest.push({ ...each, maintenanceWindowId: window.id, title: window.title });
      }
      if (soonest.length > 2 * MOST) keepSoonest();
    }
  }
  keepSoonest();
  return soonest.map(({ startsAt, endsAt, ...each }) => ({
    ...each,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }));
}
