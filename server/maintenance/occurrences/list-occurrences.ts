import type { Db } from '@/server/platform/db';
import type { Period } from '@/server/time/edges';
import { keptOccurrences } from '../recurrence/kept-occurrences';
import { type OccurrencesInput, rangeOf, type WindowOccurrence } from '../schema';

/** The maximum of one response; a month of a daily window has 31. */
const MOST = 2_000;

/** The occurrences of the team's windows that overlap a range, soonest first, by the current times of the windows. */
export async function listOccurrences(db: Db, teamId: string, input: OccurrencesInput): Promise<WindowOccurrence[]> {
  const { from: start, to: end } = rangeOf(input, new Date());
  const windows = await db.maintenanceWindow.findMany({
    where: { teamId, startsAt: { lt: end }, OR: [{ recurrence: { not: null } }, { endsAt: { gt: start } }] },
    select: {
      id: true,
      teamId: true,
      updatedAt: true,
      title: true,
      startsAt: true,
      endsAt: true,
      recurrence: true,
      timezone: true,
      changedStarts: true,
      changedEnds: true,
      skippedStarts: true,
    },
  });
  let soonest: (Period & { maintenanceWindowId: string; title: string })[] = [];
  const keepSoonest = () => {
    soonest = soonest.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()).slice(0, MOST);
  };
  for (const window of windows) {
    const { id: maintenanceWindowId, title } = window;
    for (const each of await keptOccurrences(window, start, end)) soonest.push({ ...each, maintenanceWindowId, title });
    if (soonest.length > 2 * MOST) keepSoonest();
  }
  keepSoonest();
  return soonest.map(({ startsAt, endsAt, ...each }) => ({
    ...each,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }));
}
