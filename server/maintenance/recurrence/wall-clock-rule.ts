import { DAY_MS } from '@/server/time/schema';
import { zoneClock } from '@/server/time/zone-clock';
import { type Rule as Days, daysFrom, parseRule } from './rule-days';

/** A rule with the time of day of its window. Wall-clock times are milliseconds as if the zone were UTC. */
export interface WallClockRule extends Days {
  /** The time of day of every start. */
  timeMs: number;
  timezone: string;
}

const MOST_KEPT = 5_000;
/** The maximum number of steps to find the last date of a rule with COUNT, about half a millisecond. A rule that needs more counts as endless. */
const MOST_COUNTED = 20_000;
const LAST_DAY = Date.UTC(9999, 11, 31) / DAY_MS;
const kept = new Map<string, WallClockRule>();

/** Returns the last day of a rule with a COUNT; null if it is after the year 9999 or takes too many steps to find. */
function lastDay(days: Days, count: number): number | null {
  let left = count;
  for (const day of daysFrom(days, days.start, { left: MOST_COUNTED })) {
    if (day > LAST_DAY) return null;
    left -= 1;
    if (left === 0) return day;
  }
  return null;
}

/** Converts an UNTIL in UTC to the last day with a start at or before it, by the wall clock of the zone. */
function untilDay(until: string, timeMs: number, timezone: string): number {
  const [year, month, day, hour, minute, second] = until.match(/^\d{4}|\d{2}/g)?.map(Number) ?? [];
  const at = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour ?? 0, minute ?? 0, second ?? 0);
  const wall = until.includes('T') ? zoneClock(timezone).wallOf(at) : at;
  return Math.floor((wall - timeMs) / DAY_MS);
}

/** Returns whether a rule has no known last day: it has no UNTIL, and no COUNT or one that exceeds the limit of steps. */
export const isEndless = ({ last }: WallClockRule): boolean => last === null;

/** Parses the rule in wall-clock times, which have no daylight saving. Throws if the rule is invalid. */
export function ruleOf(recurrence: string, startsAt: Date, timezone: string): WallClockRule {
  const key = `${timezone} ${startsAt.getTime()} ${recurrence}`;
  const known = kept.get(key);
  if (known) return known;
  const wall = Math.floor(zoneClock(timezone).wallOf(startsAt.getTime()) / 1000) * 1000;
  const start = Math.floor(wall / DAY_MS);
  const { count, until, ...days } = parseRule(recurrence, start);
  const timeMs = wall - start * DAY_MS;
  const last = until !== null ? untilDay(until, timeMs, timezone) : count === null ? null : lastDay(days, count);
  const rule = { ...days, last, timeMs, timezone };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, rule);
  return rule;
}

/**
 * Generates the starts of a rule from about a day before `from` until about a day after `to`, or the year 9999. A time that is skipped in spring
 * moves forward by the skipped amount; of a repeated time in autumn, the first one counts, unless the window itself starts in the second hour. All
 * starts differ: a day that the zone skips has none.
 */
export function* startsFrom(rule: WallClockRule, startsAt: Date, from: Date, to: Date | null): Generator<Date> {
  const clock = zoneClock(rule.timezone);
  // Ends at the end of the range, because the next date may be years away.
  const last = Math.min(rule.last ?? LAST_DAY, to ? Math.floor(to.getTime() / DAY_MS) + 1 : LAST_DAY);
  const firstWall = clock.wallOf(startsAt.getTime());
  let previous: number | null = null;
  for (const day of daysFrom({ ...rule, last }, Math.floor(from.getTime() / DAY_MS) - 1)) {
    const wall = day * DAY_MS + rule.timeMs;
    const start = wall === firstWall ? startsAt : new Date(clock.momentOf(wall));
    if (start.getTime() !== previous) yield start;
    previous = start.getTime();
  }
}
