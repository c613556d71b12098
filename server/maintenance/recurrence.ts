import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';

/** The times of a window. */
export interface Times extends Period {
  /** An RRULE without its prefix; null: once. */
  recurrence: string | null;
  timezone: string;
  /** The starts of occurrences that end at another time than the rule says, and these ends, in the same order. */
  changedStarts?: Date[];
  changedEnds?: Date[];
  /** The starts of occurrences that do not take place. */
  skippedStarts?: Date[];
}

/** A rule that never matches, such as 30 February, is given up after so many candidates. */
const MOST_CANDIDATES = 10_000;
const MOST_KEPT = 1_000;
const kept = new Map<string, RRuleTemporal<Temporal.ZonedDateTime>>();

/** A moment's wall-clock time in a zone, as if it were UTC. */
const wallOf = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .toZonedDateTime('UTC');

/**
 * The moment at which a clock of the zone shows this time. A time that is skipped in spring comes as much later as the clock is moved; one
 * that is repeated in autumn counts the first time, unless the window itself starts in the second hour.
 */
function momentOf(wall: Temporal.ZonedDateTime, { startsAt, timezone }: Times): Date {
  if (wall.equals(wallOf(startsAt, timezone))) return startsAt;
  return new Date(wall.toPlainDateTime().toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds);
}

const basic = (wall: Temporal.ZonedDateTime) =>
  wall.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** An UNTIL in UTC as the wall-clock time of the zone, since the rule is followed in wall-clock times. */
function untilAsWall(recurrence: string, timezone: string): string {
  return recurrence.replace(/UNTIL=(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z/, (_all, ...parts: string[]) => {
    const [year, month, day, hour, minute, second] = parts;
    return `UNTIL=${basic(wallOf(new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), timezone))}Z`;
  });
}

/** The rule in wall-clock times, which know no daylight saving. Throws for what is no rule. */
function ruleOf(recurrence: string, startsAt: Date, timezone: string): RRuleTemporal<Temporal.ZonedDateTime> {
  const key = `${timezone} ${startsAt.getTime()} ${recurrence}`;
  const known = kept.get(key);
  if (known) return known;
  const rruleString = `DTSTART:${basic(wallOf(startsAt, timezone))}Z\nRRULE:${untilAsWall(recurrence, timezone)}`;
  const rule = new RRuleTemporal({ rruleString, temporal: Temporal, maxCandidateEvaluations: MOST_CANDIDATES });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, rule);
  return rule;
}

/** The length of every occurrence by the rule, and the longest that one has. */
function lengthsOf({ startsAt, endsAt, changedStarts = [], changedEnds = [] }: Times) {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  const changed = changedEnds.map((end, index) => end.getTime() - (changedStarts[index]?.getTime() ?? 0));
  return { lengthMs, longestMs: Math.max(lengthMs, ...changed) };
}

/** The occurrence that starts at a moment, with its changed end if it has one. */
function occurrenceAt(startsAt: Date, lengthMs: number, { changedStarts = [], changedEnds = [] }: Times): Period {
  const changed = changedEnds[changedStarts.findIndex((start) => start.getTime() === startsAt.getTime())];
  return { startsAt, endsAt: changed ?? new Date(startsAt.getTime() + lengthMs) };
}

const takesPlace = ({ skippedStarts = [] }: Times, { startsAt }: Period) =>
  !skippedStarts.some((start) => start.getTime() === startsAt.getTime());

/**
 * The occurrences of a window that touch a stretch of time, in order. All last as long as the first, in seconds, except those whose end was
 * changed. Pure: the zone rules are those of the runtime.
 */
export function occurrencesOf(times: Times, from: Date, to: Date): Period[] {
  const { recurrence, startsAt, endsAt, timezone } = times;
  const touches = (each: Period) => each.endsAt > from && each.startsAt < to;
  if (recurrence === null) return [{ startsAt, endsAt }].filter(touches);
  const { lengthMs, longestMs } = lengthsOf(times);
  const rule = ruleOf(recurrence, startsAt, timezone);
  // A day more on both sides: wall-clock times differ from UTC by less.
  const after = new Date(Math.max(from.getTime() - longestMs, startsAt.getTime()) - DAY_MS);
  return rule
    .between(after, new Date(to.getTime() + DAY_MS), true)
    .map((wall) => momentOf(wall, times))
    .map((start) => occurrenceAt(start, lengthMs, times))
    .filter((each) => touches(each) && takesPlace(times, each));
}

/** The first occurrence that ends after a moment; null where there is none any more. */
export function nextOccurrence(times: Times, at: Date): Period | null {
  if (times.recurrence === null) return times.endsAt > at ? times : null;
  const { recurrence, startsAt, timezone } = times;
  const { lengthMs, longestMs } = lengthsOf(times);
  const rule = ruleOf(recurrence, startsAt, timezone);
  let wall = rule.next(new Date(Math.max(at.getTime() - longestMs, startsAt.getTime()) - 2 * DAY_MS), true);
  for (; wall; wall = rule.next(new Date(wall.epochMilliseconds), false)) {
    const occurrence = occurrenceAt(momentOf(wall, times), lengthMs, times);
    if (occurrence.endsAt > at && takesPlace(times, occurrence)) return occurrence;
  }
  return null;
}

/** The occurrence that takes place at a moment, or null. */
export function occurrenceAround(times: Times, at: Date): Period | null {
  const next = nextOccurrence(times, at);
  return next && next.startsAt <= at ? next : null;
}

/** The occurrence that the rule has at a moment, also if it is skipped; null where none starts. */
export function occurrenceFrom(times: Times, startsAt: Date): Period | null {
  if (times.recurrence === null) return null;
  const all = occurrencesOf({ ...times, skippedStarts: [] }, startsAt, new Date(startsAt.getTime() + 1));
  return all.find((each) => each.startsAt.getTime() === startsAt.getTime()) ?? null;
}

/** The skipped occurrences of a window, in order. */
export function skippedOf(times: Times): Period[] {
  const { lengthMs } = lengthsOf(times);
  return (times.skippedStarts ?? [])
    .map((startsAt) => ({ startsAt, endsAt: new Date(startsAt.getTime() + lengthMs) }))
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

/** What is wrong with a rule, or null. */
export function whyNoRecurrence(times: Times): string | null {
  const { recurrence, startsAt, timezone } = times;
  if (recurrence === null) return null;
  try {
    ruleOf(recurrence, startsAt, timezone);
  } catch {
    return 'Enter a rule such as FREQ=WEEKLY;BYDAY=SU.';
  }
  try {
    if (nextOccurrence(times, startsAt)) return null;
  } catch {
    // Too many candidates were none.
  }
  return 'This rule never matches a date.';
}
