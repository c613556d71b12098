import { DAY_MS } from '@/server/time/schema';
import { zoneClock } from '@/server/time/zone-clock';
import { type Rule as Days, daysFrom, parseRule } from './rule-days';

/** A rule with the time of day of its window. Wall-clock times are milliseconds, as if the zone were UTC. */
export interface WallClockRule extends Days {
  /** The time of day of every start. */
  timeMs: number;
  timezone: string;
}

const MOST_KEPT = 5_000;
/** A rule whose last date takes more steps to count to has no end. Half a millisecond. */
const MOST_COUNTED = 20_000;
const LAST_DAY = Date.UTC(9999, 11, 31) / DAY_MS;
const kept = new Map<string, WallClockRule>();

/** The last day of a rule with a COUNT; null where it is too far away. */
function lastDay(days: Days, count: number): number | null {
  let left = count;
  for (const day of daysFrom(days, days.start, { left: MOST_COUNTED })) {
    if (day > LAST_DAY) return null;
    left -= 1;
    if (left === 0) return day;
  }
  return null;
}

/** An UNTIL in UTC by the wall clock of the zone: the last day with a start at or before it. */
function untilDay(until: string, timeMs: number, timezone: string): number {
  const [year, month, day, hour, minute, second] = until.match(/^\d{4}|\d{2}/g)?.map(Number) ?? [];
  const at = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour ?? 0, minute ?? 0, second ?? 0);
  const wall = until.includes('T') ? zoneClock(timezone).wallOf(at) : at;
  return Math.floor((wall - timeMs) / DAY_MS);
}

/** Whether a rule has neither a COUNT, unless it ends too far away, nor an UNTIL. */
export const isEndless = ({ last }: WallClockRule): boolean => last === null;

/** The rule in wall-clock times, which know no daylight saving. Throws for what is no rule. */
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
 * The starts of a rule from about a day before a moment on, read lazily, until about a day after `to`, or the year 9999. A time that is skipped in spring comes as much later as the clock is moved;
 * one that is repeated in autumn counts the first time, unless the window itself starts in the second hour. No two starts are
 * the same: a day that the zone skips has none.
 */
export function* startsFrom(rule: WallClockRule, startsAt: Date, from: Date, to: Date | null): Generator<Date> {
  const clock = zoneClock(rule.timezone);
  // A range is searched no further than its end, as the next date may be years away.
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
