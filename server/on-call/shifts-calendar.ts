import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { mostRelevant, occurrenceId, toCalendar } from '@/server/text/icalendar';
import { DAY_MS } from '@/server/time/schema';
import { type LoadedSchedule, loadSchedules, readNames } from './queries';
import type { Shift } from './rota/rota';
import { timelineOf } from './rota/timeline';
import { changesPerDay } from './schema';

/** The range of a calendar: the last and the coming weeks. */
const PAST_DAYS = 14;
const AHEAD_DAYS = 92;
/** The total number of shifts in a calendar. For many schedules that change often, fewer days are computed. */
const MOST_SHIFTS = 10_000;

/** The range of a calendar around a day. */
function daysAround(today: number, share = 1): { from: Date; to: Date } {
  const days = (all: number) => Math.max(1, Math.floor(all * share)) * DAY_MS;
  return { from: new Date(today - days(PAST_DAYS)), to: new Date(today + days(AHEAD_DAYS)) };
}

/** Computes the shifts of the schedules one after the other, in turns with other teams. */
async function shiftsOf(
  teamId: string,
  schedules: LoadedSchedule[],
  today: number,
): Promise<(Shift & { row: LoadedSchedule['row'] })[]> {
  const perDay = schedules.reduce((sum, { rota }) => sum + changesPerDay(rota.layers), 0);
  const { from, to } = daysAround(today, Math.min(1, MOST_SHIFTS / perDay / (PAST_DAYS + AHEAD_DAYS)));
  const shifts: (Shift & { row: LoadedSchedule['row'] })[] = [];
  for (const { row, rota } of schedules) {
    await takeLoopTurn(teamId);
    for (const shift of timelineOf(rota, from, to)) shifts.push({ ...shift, row });
  }
  return shifts;
}

/** The shifts of a schedule, or without one those of a member, as an iCalendar stream. */
export async function shiftsCalendar(
  db: Db,
  { teamId, scheduleId, userId }: { teamId: string; scheduleId: string | null; userId: string },
): Promise<string> {
  const now = new Date();
  // Rounds to whole days, so that a shift that has begun keeps its ID.
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const names = await readNames(db, teamId);
  const asked = { ...(scheduleId && { ids: [scheduleId] }), ...daysAround(today) };
  const schedules = await loadSchedules(db, teamId, asked, names);
  const shown = (await shiftsOf(teamId, schedules, today)).filter(
    (shift) => shift.userId !== null && (scheduleId !== null || shift.userId === userId),
  );
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
  const name = scheduleId === null ? `On call: ${names.get(userId) ?? ''}` : `On call: ${schedules[0]?.row.name ?? ''}`;
  return toCalendar({ kind: 'On-call', name }, events);
}
