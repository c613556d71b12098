import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { occurrenceId, toCalendar } from '@/server/text/icalendar';
import { DAY_MS } from '@/server/time/schema';
import { loadSchedules, readNames } from './queries';
import { timelineOf } from './rota/timeline';

/** A calendar has the shifts of the last and the coming weeks. */
const PAST_MS = 14 * DAY_MS;
const AHEAD_MS = 92 * DAY_MS;

/** The shifts of a schedule, or without one those of a member, as an iCalendar stream. */
export async function shiftsCalendar(
  db: Db,
  { teamId, scheduleId, userId }: { teamId: string; scheduleId: string | null; userId: string },
): Promise<string> {
  const now = Date.now();
  // By whole days, so that a shift that has begun keeps its ID.
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const range = { from: new Date(today - PAST_MS), to: new Date(today + AHEAD_MS) };
  const names = await readNames(db, teamId);
  const schedules = await loadSchedules(db, teamId, { ...(scheduleId && { ids: [scheduleId] }), ...range }, names);
  const events = schedules.flatMap(({ row, rota }) =>
    timelineOf(rota, range.from, range.to).flatMap((shift) => {
      const isShown = shift.userId !== null && (scheduleId !== null || shift.userId === userId);
      if (!isShown) return [];
      const startsAt = shift.startsAt.toISOString();
      const who = names.get(shift.userId ?? '') ?? 'Somebody';
      return {
        id: occurrenceId(row.id, startsAt),
        startsAt,
        endsAt: shift.endsAt.toISOString(),
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
        title: scheduleId === null ? `On call: ${row.name}` : `${who} is on call: ${row.name}`,
        url: `${env.appUrl}/on-call/schedules/${row.id}`,
      };
    }),
  );
  const name = scheduleId === null ? `On call: ${names.get(userId) ?? ''}` : `On call: ${schedules[0]?.row.name ?? ''}`;
  return toCalendar({ kind: 'On-call', name }, events);
}
