import { clockAt } from '@/app/_components/time/local-time';
import type { Occurrence } from '@/server/maintenance/schema';
import { DAY_MS } from '@/server/time/schema';

/** A month such as "2026-11". */
export type Month = string;

/** The month that contains a time in a zone. */
export function monthAt(moment: number, timeZone: string): Month {
  return new Date(clockAt(moment, timeZone)).toISOString().slice(0, 7);
}

/** The month that is `count` months later. */
export function addMonths(month: Month, count: number): Month {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The days of all weeks (from Monday) that overlap a month, such as "2026-11-30". */
export function daysOf(month: Month): string[] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS;
  const end = Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`);
  const weeks = Math.ceil((end - start) / (7 * DAY_MS));
  return Array.from({ length: weeks * 7 }, (_, index) => new Date(start + index * DAY_MS).toISOString().slice(0, 10));
}

/** Groups occurrences by the days in a zone on which they take place. */
export function byDay<Each extends Occurrence>(occurrences: Each[], timeZone: string): Map<string, Each[]> {
  const days = new Map<string, Each[]>();
  for (const each of occurrences) {
    const from = Math.floor(clockAt(Date.parse(each.startsAt), timeZone) / DAY_MS);
    const to = Math.floor((clockAt(Date.parse(each.endsAt), timeZone) - 1) / DAY_MS);
    for (let day = from; day <= to; day += 1) {
      const key = new Date(day * DAY_MS).toISOString().slice(0, 10);
      days.set(key, [...(days.get(key) ?? []), each]);
    }
  }
  return days;
}
