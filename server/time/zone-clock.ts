import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from './schema';

/**
 * The clocks of a time zone. A wall-clock time is what they show, as milliseconds since 1970-01-01T00:00 as if the zone were UTC; a day is the number
 * of whole days in it.
 */
export interface ZoneClock {
  wallOf(at: number): number;
  /**
   * The moment at which the clocks show a time. A time that is skipped in spring comes as much later as the clocks are moved; of one that is
   * repeated in autumn, the first counts.
   */
  momentOf(wall: number): number;
}

/** About 4 MB: the days of some hundred zones. */
const MOST_KEPT = 50_000;
const clocks = new Map<string, ZoneClock>();
let kept = 0;

const zoned = (at: number, timezone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

/**
 * Zone conversions of the library take tens of microseconds. The offset at the start of each day is therefore kept, and only days around a change
 * of the clocks are converted by the library.
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
  /** The offset around a day, of UTC or of the zone; null if it changes. Offsets are shorter than a day. */
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

/** The clocks of an IANA zone. */
export function zoneClock(timezone: string): ZoneClock {
  if (kept >= MOST_KEPT) {
    clocks.clear();
    kept = 0;
  }
  const clock = clocks.get(timezone) ?? makeClock(timezone);
  clocks.set(timezone, clock);
  return clock;
}
