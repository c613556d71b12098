import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import { type ZoneClock, zoneClock } from '@/server/time/zone-clock';
import type { Layer, Restriction } from '../schema';

const DAYS = { days: 1, weeks: 7 } as const;

function timeMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** The turns of a layer by their numbers, from 0. Both functions are arithmetic, so their cost is constant. */
export interface Turns {
  /** When a turn starts. Handovers by days and weeks keep their time of day; turns by hours count elapsed time. */
  startOf(turn: number): number;
  /** The number of the turn at a given time; negative before the first. */
  turnAt(at: number): number;
}

export function turnsOf({ startDate, handoverTime, rotation: { unit, every } }: Layer, timezone: string): Turns {
  const clock = zoneClock(timezone);
  const first = Date.parse(startDate) + timeMs(handoverTime);
  if (unit === 'hours') {
    const [start, lengthMs] = [clock.momentOf(first), every * HOUR_MS];
    return { startOf: (turn) => start + turn * lengthMs, turnAt: (at) => Math.floor((at - start) / lengthMs) };
  }
  const lengthMs = every * DAYS[unit] * DAY_MS;
  const startOf = (turn: number) => clock.momentOf(first + turn * lengthMs);
  return {
    startOf,
    turnAt(at) {
      const turn = Math.floor((clock.wallOf(at) - first) / lengthMs);
      // The wall-clock arithmetic is off if the handover falls into a time that the clocks skip or repeat.
      if (startOf(turn) > at) return turn - 1;
      return startOf(turn + 1) <= at ? turn + 1 : turn;
    },
  };
}

/** Returns the days since 1970-01-01 at a given time, by the wall clock of the zone. */
export const dayOf = (at: number, clock: ZoneClock): number => Math.floor(clock.wallOf(at) / DAY_MS);

/** Returns 1 for Monday to 7 for Sunday. Day 0 was a Thursday. */
const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1;

/**
 * Returns the time range that a restriction allows and that starts on a day; null if the restriction does not name that weekday. An end that is not
 * after the start is on the next day.
 */
export function allowedOn(
  { days, from, to }: Restriction,
  day: number,
  clock: ZoneClock,
): { start: number; end: number } | null {
  if (!days.includes(weekdayOf(day))) return null;
  const last = to > from ? day : day + 1;
  return { start: clock.momentOf(day * DAY_MS + timeMs(from)), end: clock.momentOf(last * DAY_MS + timeMs(to)) };
}
