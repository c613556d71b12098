import { Temporal } from 'temporal-polyfill';
import type { DuePeriod } from './queries';
import { LATE_MS, toDate } from './week';

const firstOf = (month: string) => Temporal.PlainDate.from(month);

/**
 * Returns the month whose report is due in a time zone: its first day, 08:00, was at most two days ago. A report has days in UTC, so it is not due
 * before the former month has ended in UTC, and its last hour is rolled up. Null if none is due.
 */
export function dueMonth(timezone: string, now: Date): DuePeriod | null {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
  const first = today.with({ day: 1 });
  const dueMs = Math.max(toDate(first, timezone, { hour: 8 }).getTime(), toDate(first, 'UTC', { hour: 1 }).getTime());
  const lateMs = now.getTime() - dueMs;
  return lateMs >= 0 && lateMs < LATE_MS ? { period: first.toString(), timezone, dueAt: new Date(dueMs) } : null;
}

/** Returns the first and the last day of the month before the one that begins on `month`. */
export function daysBefore(month: string): { firstDay: string; lastDay: string } {
  const first = firstOf(month);
  return { firstDay: first.subtract({ months: 1 }).toString(), lastDay: first.subtract({ days: 1 }).toString() };
}

/** Names the month before the one that begins on `month`: "October 2026". */
export function monthInWords(month: string): string {
  const before = new Date(`${daysBefore(month).firstDay}T00:00:00Z`);
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(before);
}
