import { Temporal } from 'temporal-polyfill';
import { HOUR_MS } from '@/server/time/schema';
import type { DuePeriod } from './queries';

/** The time of day of a summary. */
const AT = { hour: 8 };
/** A mail that was not queued within this time is skipped. */
export const LATE_MS = 48 * HOUR_MS;

/** The week of a summary: the Monday on which it is sent, such as "2026-03-30", and the member's time zone. */
export interface Week {
  week: string;
  timezone: string;
}

/** Returns a time of a day in a time zone; by default, midnight. */
export const toDate = (date: Temporal.PlainDate, timezone: string, plainTime: Partial<typeof AT> = {}) =>
  new Date(date.toZonedDateTime({ timeZone: timezone, plainTime: { hour: 0, ...plainTime } }).epochMilliseconds);

/** Returns the week whose summary is due in a time zone: its Monday, 08:00, was at most two days ago. Null if none is due. */
export function dueWeek(timezone: string, now: Date): DuePeriod | null {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const dueAt = toDate(monday, timezone, AT);
  const lateMs = now.getTime() - dueAt.getTime();
  return lateMs >= 0 && lateMs < LATE_MS ? { period: monday.toString(), timezone, dueAt } : null;
}

/** Returns the ranges of a summary's week, the seven days before its Monday, and of the week before it. Days begin at midnight in the time zone. */
export function daysOf({ week, timezone }: Week): { from: Date; to: Date; previousFrom: Date } {
  const monday = Temporal.PlainDate.from(week);
  return {
    from: toDate(monday.subtract({ days: 7 }), timezone),
    to: toDate(monday, timezone),
    previousFrom: toDate(monday.subtract({ days: 14 }), timezone),
  };
}
