import { Temporal } from 'temporal-polyfill';
import { type QuietHours, weekdays } from './rules';

/** The maximum number of adjacent quiet hours that are joined, because they could follow each other without end. */
const MOST_IN_A_ROW = 14;

type Times = Pick<QuietHours, 'days' | 'from' | 'to' | 'timezone'>;

/** Returns the end of the quiet hours that began on this date and last at `now`, or null. */
function endOf({ days, from, to, timezone }: Times, date: Temporal.PlainDate, now: number): number | null {
  const day = weekdays[date.dayOfWeek - 1];
  if (!day || !days.includes(day)) return null;
  // A time that the clock skips moves forward by the skipped amount; of a repeated time, the first one counts.
  const at = (on: Temporal.PlainDate, plainTime: string) =>
    on.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds;
  const start = at(date, from);
  const end = at(to <= from ? date.add({ days: 1 }) : date, to);
  return start <= now && now < end ? end : null;
}

/**
 * Returns the end of a channel's quiet hours, by the wall clock of their zone, or null if none apply now. Quiet hours belong to the day on which they
 * start; adjacent ones are joined.
 */
export function quietUntil(hours: Times, now: Date): Date | null {
  let until = now.getTime();
  for (let count = 0; count < MOST_IN_A_ROW; count += 1) {
    const today = Temporal.Instant.fromEpochMilliseconds(until).toZonedDateTimeISO(hours.timezone).toPlainDate();
    const end = endOf(hours, today, until) ?? endOf(hours, today.subtract({ days: 1 }), until);
    if (end === null) break;
    until = end;
  }
  return until > now.getTime() ? new Date(until) : null;
}
