import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import type { OnCallSchedule } from '@/server/platform/generated/prisma/client';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { mostRelevant, occurrenceId, toCalendar } from '@/server/text/icalendar';
import { DAY_MS } from '@/server/time/schema';
import { eachSchedule, readNames } from './queries';
import { calendarRange, cutShifts } from './rota/calendar-range';
import type { Shift } from './rota/rota';
import { timelineOf } from './rota/timeline';
import { changesPerDay } from './schema';

/** The total number of shifts in a calendar, about. Of schedules that change often, fewer days are computed. */
const MOST_SHIFTS = 10_000;

/** The columns of a schedule that its calendar events need. */
type Shown = Pick<OnCallSchedule, 'id' | 'name' | 'sequence' | 'createdAt' | 'updatedAt'>;

/**
 * Computes the shifts of schedules one after the other, in turns with other teams. Shortens the ranges if there would be more than `MOST_SHIFTS`.
 * @returns the shifts for which `isShown` is true, and the name of the first schedule
 */
async function shiftsOf(
  db: Db,
  { teamId, ids, today }: { teamId: string; ids: { ids?: string[] }; today: number },
  names: ReadonlyMap<string, string>,
  isShown: (shift: Shift) => boolean,
): Promise<{ shown: (Shift & { row: Shown })[]; scheduleName: string }> {
  let scheduleName: string | null = null;
  const count = await db.onCallSchedule.count({ where: { teamId, ...(ids.ids && { id: { in: ids.ids } }) } });
  const most = MOST_SHIFTS / Math.max(1, count);
  const longest = calendarRange(today, { perDay: 0, most });
  const shown: (Shift & { row: Shown })[] = [];
  for await (const { row, rota } of eachSchedule(db, teamId, { ...ids, ...longest }, names)) {
    await takeLoopTurn(teamId);
    scheduleName ??= row.name;
    const { id, name, sequence, createdAt, updatedAt } = row;
    const { from, to, cuts } = calendarRange(today, { perDay: changesPerDay(rota.layers), most });
    for (const shift of cutShifts(timelineOf(rota, from, to), cuts)) {
      if (isShown(shift)) shown.push({ ...shift, row: { id, name, sequence, createdAt, updatedAt } });
    }
  }
  return { shown, scheduleName: scheduleName ?? '' };
}

/** Returns the shifts of a schedule as an iCalendar stream; if `scheduleId` is null, the shifts of a member in all schedules. */
export async function shiftsCalendar(
  db: Db,
  { teamId, scheduleId, userId }: { teamId: string; scheduleId: string | null; userId: string },
): Promise<string> {
  const now = new Date();
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const names = await readNames(db, teamId);
  const ids = scheduleId === null ? {} : { ids: [scheduleId] };
  const isShown = (shift: Shift) => shift.userId !== null && (scheduleId !== null || shift.userId === userId);
  const { shown, scheduleName } = await shiftsOf(db, { teamId, ids, today }, names, isShown);
  const events = mostRelevant(shown, now).map(({ row, ...shift }) => {
    const startsAt = shift.startsAt.toISOString();
    const who = names.get(shift.userId ?? '') ?? 'Somebody';
    return {
      id: occurrenceId(row.id, startsAt),
      startsAt,
      endsAt: shift.endsAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      sequence: row.sequence,
      title: scheduleId === null ? `On call: ${row.name}` : `${who} is on call: ${row.name}`,
      url: `${env.appUrl}/on-call/schedules/${row.id}`,
    };
  });
  const name = scheduleId === null ? `On call: ${names.get(userId) ?? ''}` : `On call: ${scheduleName}`;
  return toCalendar({ kind: 'On-call', name }, events);
}
