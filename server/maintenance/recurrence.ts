import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { isEndless, momentOf, ruleOf, type Wall } from './wall-clock-rule';

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
    .map((wall) => momentOf(wall, startsAt, timezone))
    .map((start) => occurrenceAt(start, lengthMs, times))
    .filter((each) => touches(each) && takesPlace(times, each));
}

/** Skipped occurrences are read past in stretches that double up to so many days. */
const FIRST_STRETCH_MS = 4 * DAY_MS;
const LONGEST_STRETCH_MS = 1024 * DAY_MS;

/** The wall-clock times of a rule from a moment on, read lazily. */
function* wallsFrom(rule: ReturnType<typeof ruleOf>, from: Date): Generator<Wall> {
  let wall = rule.next(from, true);
  for (let stretchMs = FIRST_STRETCH_MS; wall; stretchMs = Math.min(2 * stretchMs, LONGEST_STRETCH_MS)) {
    yield wall;
    const end = new Date(wall.epochMilliseconds + stretchMs);
    yield* rule.between(new Date(wall.epochMilliseconds), end, false);
    wall = rule.next(end, true);
  }
}

/** The first occurrence that ends after a moment; null where there is none any more. */
export function nextOccurrence(times: Times, at: Date): Period | null {
  if (times.recurrence === null) return times.endsAt > at ? times : null;
  const { recurrence, startsAt, timezone } = times;
  const { lengthMs, longestMs } = lengthsOf(times);
  const from = new Date(Math.max(at.getTime() - longestMs, startsAt.getTime()) - 2 * DAY_MS);
  for (const wall of wallsFrom(ruleOf(recurrence, startsAt, timezone), from)) {
    const occurrence = occurrenceAt(momentOf(wall, startsAt, timezone), lengthMs, times);
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

/** Moments so close to each other are looked up together, in stretches of at most so many days. */
const CLOSE_MS = 32 * DAY_MS;

/** Those of some moments at which an occurrence starts by the rule, also if it is skipped; in order. */
export function startsAmong(times: Times, moments: Date[]): Date[] {
  if (times.recurrence === null) return [];
  const stretches: Date[][] = [];
  for (const at of [...moments].sort((a, b) => a.getTime() - b.getTime())) {
    const stretch = stretches.at(-1);
    const [first, last] = [stretch?.[0], stretch?.at(-1)];
    const isClose = first && last && +at - +last <= CLOSE_MS && +at - +first <= LONGEST_STRETCH_MS;
    if (isClose) stretch?.push(at);
    else stretches.push([at]);
  }
  return stretches.flatMap((stretch) => {
    const [first = new Date(0), last = first] = [stretch[0], stretch.at(-1)];
    const all = occurrencesOf({ ...times, skippedStarts: [] }, first, new Date(last.getTime() + 1));
    const starts = new Set(all.map(({ startsAt }) => startsAt.getTime()));
    return stretch.filter((each) => starts.has(each.getTime()));
  });
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
    if (!nextOccurrence(times, startsAt)) return 'This rule never matches a date.';
  } catch {
    return 'This rule never matches a date.';
  }
  if (recurrence.includes('COUNT=') && isEndless(ruleOf(recurrence, startsAt, timezone))) {
    return 'The last occurrence is too far in the future. Lower COUNT or use UNTIL.';
  }
  return null;
}
