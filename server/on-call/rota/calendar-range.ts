import { DAY_MS } from '@/server/time/schema';
import type { Shift } from './rota';

/** How many days before and after today a calendar contains at least. */
const PAST_DAYS = 14;
const AHEAD_DAYS = 92;
/** Both, and a month more at each end. */
const MOST_DAYS = PAST_DAYS + AHEAD_DAYS + 62;

/** A range of time with the moments in it at which shifts are cut, its ends included. */
interface CalendarRange {
  from: Date;
  to: Date;
  cuts: Date[];
}

const monthStart = (at: number, after = 0): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after);
};

/**
 * Returns the range of a calendar around a day. It consists of whole months of UTC, or of whole days if shifts change too often for that. Shifts that
 * go on over a month, or a day, are cut there: with other cuts, an event would begin at another time each day, and a calendar would take it for another.
 * @param perDay how often the shifts change per day at most
 * @param most the number of shifts that the calendar should not exceed
 */
export function calendarRange(today: number, { perDay, most }: { perDay: number; most: number }): CalendarRange {
  const cuts: number[] = [];
  if (perDay * MOST_DAYS <= most) {
    const last = today + AHEAD_DAYS * DAY_MS;
    for (let at = monthStart(today - PAST_DAYS * DAY_MS); cuts.length === 0 || (cuts.at(-1) ?? 0) < last; ) {
      cuts.push(at);
      at = monthStart(at, 1);
    }
  } else {
    const share = most / perDay / (PAST_DAYS + AHEAD_DAYS);
    const days = (all: number) => Math.max(1, Math.min(all, Math.floor(all * share)));
    for (let day = -days(PAST_DAYS); day <= days(AHEAD_DAYS); day += 1) cuts.push(today + day * DAY_MS);
  }
  const dates = cuts.map((at) => new Date(at));
  const [from = new Date(today), to = from] = [dates[0], dates.at(-1)];
  return { from, to, cuts: dates };
}

/** Cuts shifts, which are in order, at these moments, which are in order too. */
export function cutShifts(shifts: Shift[], cuts: Date[]): Shift[] {
  let next = 0;
  return shifts.flatMap((shift) => {
    const parts: Shift[] = [];
    let { startsAt } = shift;
    while (next < cuts.length && (cuts[next] ?? startsAt) <= startsAt) next += 1;
    for (let cut = cuts[next]; cut !== undefined && cut < shift.endsAt; next += 1, cut = cuts[next]) {
      parts.push({ ...shift, startsAt, endsAt: cut });
      startsAt = cut;
    }
    parts.push({ ...shift, startsAt });
    return parts;
  });
}
