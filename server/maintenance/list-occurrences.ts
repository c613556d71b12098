import type { Db } from '@/server/platform/db';
import { occurrencesOf } from './recurrence';
import { type OccurrencesInput, rangeOf, type WindowOccurrence } from './schema';

/** The limit of one answer; a month of daily windows has 31 each. */
const MOST = 2_000;

/** The occurrences of the team's windows that touch a range, soonest first, by the times that the windows have now. */
export async function listOccurrences(db: Db, teamId: string, input: OccurrencesInput): Promise<WindowOccurrence[]> {
  const { from: start, to: end } = rangeOf(input, new Date());
  const windows = await db.maintenanceWindow.findMany({
    where: { teamId, startsAt: { lt: end }, OR: [{ recurrence: { not: null } }, { endsAt: { gt: start } }] },
    select: {
      ...{ id: true, title: true, startsAt: true, endsAt: true, recurrence: true, timezone: true },
      ...{ changedStarts: true, changedEnds: true, skippedStarts: true },
    },
  });
  const all = windows.flatMap(({ id, title, ...times }) =>
    occurrencesOf(times, start, end).map((each) => ({
      maintenanceWindowId: id,
      title,
      startsAt: each.startsAt.toISOString(),
      endsAt: each.endsAt.toISOString(),
    })),
  );
  return all.sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1)).slice(0, MOST);
}
