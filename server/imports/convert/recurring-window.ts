import { DAY_MS } from '@/server/time/schema';
import { zoneClock } from '@/server/time/zone-clock';
import { NotCarriedOver } from '../draft';

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** How many days ahead the first occurrence is searched. */
const MOST_DAYS_AHEAD = 800;

/** A window that recurs by days. */
export interface RecurringWindow {
  /** An RRULE (RFC 5545). */
  recurrence: string;
  /** The time of day of the start. */
  hour: number;
  minute: number;
  durationMs: number;
  /** Whether it occurs on a day (whole days since 1970 of the wall clock). */
  isOn: (day: number) => boolean;
}

const weekdayOf = (day: number) => (day + 4) % 7;
const dateOf = (day: number) => new Date(day * DAY_MS);
const isLastOfMonth = (day: number) => dateOf(day + 1).getUTCDate() === 1;

/**
 * Parses a time of day such as 23:30.
 * @throws NotCarriedOver
 */
export function clockOf(text: string): { hour: number; minute: number } {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})/.exec(text) ?? [];
  if (hour === undefined) throw new NotCarriedOver('It has no time of day.');
  return { hour: Number(hour), minute: Number(minute) };
}

export const minutesOf = ({ hour, minute }: { hour: number; minute: number }) => hour * 60 + minute;

/**
 * Returns an RRULE for weekdays (0 is Sunday), days of the month (-1 is the last) and months, and whether it matches a day. Null matches every one.
 * @throws NotCarriedOver for weekdays and days of the month together
 */
export function ruleOf(weekdays: number[] | null, monthDays: number[] | null, months: number[] | null) {
  if (weekdays && monthDays) throw new NotCarriedOver('Weekdays and days of the month together have no counterpart.');
  const byMonth = months ? `;BYMONTH=${months.join(',')}` : '';
  const isInMonth = (day: number) => !months || months.includes(dateOf(day).getUTCMonth() + 1);
  if (monthDays) {
    const isOn = (day: number) =>
      isInMonth(day) &&
      (monthDays.includes(dateOf(day).getUTCDate()) || (monthDays.includes(-1) && isLastOfMonth(day)));
    return { recurrence: `FREQ=MONTHLY;BYMONTHDAY=${monthDays.join(',')}${byMonth}`, isOn };
  }
  if (!weekdays) return { recurrence: `FREQ=DAILY${byMonth}`, isOn: isInMonth };
  const days = [...new Set(weekdays.map((each) => each % 7))];
  const byDay = days.map((each) => WEEKDAYS[each]).join(',');
  const isOn = (day: number) => isInMonth(day) && days.includes(weekdayOf(day));
  return { recurrence: `FREQ=WEEKLY;BYDAY=${byDay}${byMonth}`, isOn };
}

/**
 * Returns the times and the rule of a recurring window, from its first occurrence today or later.
 * @param earliest the first day that it may occur on, in whole days since 1970
 * @throws NotCarriedOver
 */
export function firstOccurrence(
  { recurrence, isOn, durationMs, ...time }: RecurringWindow,
  { timezone, earliest, now }: { timezone: string; earliest: number; now: Date },
) {
  if (durationMs <= 0) throw new NotCarriedOver('It has no duration.');
  const clock = zoneClock(timezone);
  const first = Math.max(Math.floor(now.getTime() / DAY_MS), earliest);
  for (let day = first; day < first + MOST_DAYS_AHEAD; day += 1) {
    if (!isOn(day)) continue;
    const startsAt = clock.momentOf(day * DAY_MS + minutesOf(time) * 60_000);
    const endsAt = new Date(startsAt + durationMs).toISOString();
    return { startsAt: new Date(startsAt).toISOString(), endsAt, timezone, recurrence };
  }
  throw new NotCarriedOver('It has no day in the next two years.');
}
