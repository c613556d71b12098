import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from './schema';

/**
 * Conversions for a time zone, in milliseconds. A wall-clock time is the time since 1970-01-01T00:00 on the clocks of the zone, ignoring changes of
 * its offset.
 */
export interface ZoneClock {
  wallOf(at: number): number;
  /**
   * Converts a wall-clock time to a time. A time that is skipped in spring moves forward by the skipped amount; for a time that occurs twice in
   * autumn, returns the first occurrence.
   */
  momentOf(wall: number): number;
}

/** The maximum number of cached days. They take about 4 MB, which is enough for some hundred zones. */
const MOST_KEPT = 50_000;
const clocks = new Map<string, ZoneClock>();
let kept = 0;

const zoned = (at: number, timezone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

/**
 * Makes the clock of a time zone. Caches the offset at the start of each day, because a conversion by the library takes tens of microseconds. Only
 * days with a change of the offset are converted by the library.
 */
function makeClock(timezone: string): ZoneClock {
  const offsets = new Map<number, number>();
  const offsetOn = (day: number): number => {
    const known = offsets.get(day);
    if (known !== undefined) return known;
    const offset = zoned(day * DAY_MS, timezone).offsetNanoseconds / 1e6;
    offsets.set(day, offset);
    kept += 1;
    return offset;
  };
  /**
   * Returns the offset around a day in milliseconds; null if it changes. Compares the days around it, which covers the day in UTC and in the zone,
   * because offsets are shorter than a day.
   */
  const steadyOffset = (day: number): number | null => {
    const offset = offsetOn(day - 1);
    return offset === offsetOn(day + 2) ? offset : null;
  };
  return {
    wallOf(at) {
      const offset = steadyOffset(Math.floor(at / DAY_MS)) ?? zoned(at, timezone).offsetNanoseconds / 1e6;
      return at + offset;
    },
    momentOf(wall) {
      const offset = steadyOffset(Math.floor(wall / DAY_MS));
      if (offset !== null) return wall - offset;
      const shown = zoned(wall, 'UTC').toPlainDateTime();
      return shown.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
    },
  };
}

/** Returns the clock of an IANA time zone. */
export function zoneClock(timezone: string): ZoneClock {
  if (kept >= MOST_KEPT) {
    clocks.clear();
    kept = 0;
  }
  const clock = clocks.get(timezone) ?? makeClock(timezone);
  clocks.set(timezone, clock);
  return clock;
}
