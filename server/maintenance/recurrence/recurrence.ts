import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { isEndless, ruleOf, startsFrom } from './wall-clock-rule';

/** The times of a window. */
export interface Times extends Period {
  /** An RRULE without its prefix; null for a window without recurrence. */
  recurrence: string | null;
  timezone: string;
  /** The starts of occurrences whose end differs from the rule, and these ends in the same order. */
  changedStarts?: Date[];
  changedEnds?: Date[];
  /** The starts of skipped occurrences. */
  skippedStarts?: Date[];
}

/** Returns the regular length of occurrences, and the length of the longest one. */
function lengthsOf({ startsAt, endsAt, changedStarts = [], changedEnds = [] }: Times) {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  const changed = changedEnds.map((end, index) => end.getTime() - (changedStarts[index]?.getTime() ?? 0));
  return { lengthMs, longestMs: Math.max(lengthMs, ...changed) };
}

/** The last possible end of an occurrence. Later years can be neither stored nor returned. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/**
 * Generates the occurrences of a rule that start from about a day before `from` until about a day after `to`, with changed ends and without skipped
 * ones.
 */
function* occurrencesFrom(times: Times & { recurrence: string }, from: Date, to: Date | null): Generator<Period> {
  const { recurrence, startsAt, endsAt, timezone, changedStarts = [], changedEnds = [], skippedStarts = [] } = times;
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  const ends = new Map(changedStarts.map((start, index) => [start.getTime(), changedEnds[index]]));
  const skipped = new Set(skippedStarts.map((start) => start.getTime()));
  for (const start of startsFrom(ruleOf(recurrence, startsAt, timezone), startsAt, from, to)) {
    if (skipped.has(start.getTime())) continue;
    const endsAtMs = ends.get(start.getTime())?.getTime() ?? start.getTime() + lengthMs;
    if (endsAtMs > LAST_MOMENT) return;
    yield { startsAt: start, endsAt: new Date(endsAtMs) };
  }
}

/** Returns the earliest possible start of an occurrence that lasts until `at`. */
const earliestStart = (times: Times, at: Date): Date => new Date(at.getTime() - lengthsOf(times).longestMs);

/**
 * Returns the occurrences of a window that overlap a range, in order, without skipped ones. All last as long as the first one, even if the clocks
 * change, except those with a changed end. The cost depends on the length of the range, not on when the window started. Pure, except for the time
 * zone data of the runtime.
 */
export function occurrencesOf(times: Times, from: Date, to: Date): Period[] {
  const { recurrence, startsAt, endsAt } = times;
  if (recurrence === null) return endsAt > from && startsAt < to ? [{ startsAt, endsAt }] : [];
  const found: Period[] = [];
  for (const each of occurrencesFrom({ ...times, recurrence }, earliestStart(times, from), to)) {
    if (each.startsAt >= to) break;
    if (each.endsAt > from) found.push(each);
  }
  return found;
}

/** Returns the first occurrence that ends after `at`, which may have started; null if there is none within ten years. */
export function nextOccurrence(times: Times, at: Date): Period | null {
  const { recurrence } = times;
  if (recurrence === null) return times.endsAt > at ? times : null;
  for (const each of occurrencesFrom({ ...times, recurrence }, earliestStart(times, at), null)) {
    if (each.endsAt > at) return each;
  }
  return null;
}

/** Returns the occurrence that takes place at `at`; null if none does. */
export function occurrenceAround(times: Times, at: Date): Period | null {
  const next = nextOccurrence(times, at);
  return next && next.startsAt <= at ? next : null;
}

/** Returns the occurrence of the rule that starts at this time, even if it is skipped; null if none does, or the window does not repeat. */
export function occurrenceFrom(times: Times, startsAt: Date): Period | null {
  if (times.recurrence === null) return null;
  const all = occurrencesOf({ ...times, skippedStarts: [] }, startsAt, new Date(startsAt.getTime() + 1));
  return all.find((each) => each.startsAt.getTime() === startsAt.getTime()) ?? null;
}

/** Times that are closer to each other than this are found by one expansion of the rule, up to `LONGEST_STRETCH_MS`. */
const CLOSE_MS = 32 * DAY_MS;
const LONGEST_STRETCH_MS = 1024 * DAY_MS;

/** Returns those of the given times at which an occurrence of the rule starts, even if it is skipped, in chronological order. */
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

/** Returns the skipped occurrences of a window with their regular length, in chronological order. */
export function skippedOf(times: Times): Period[] {
  const { lengthMs } = lengthsOf(times);
  return (times.skippedStarts ?? [])
    .map((startsAt) => ({ startsAt, endsAt: new Date(startsAt.getTime() + lengthMs) }))
    .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
}

/** Returns the error message for an invalid rule; null if it is valid, or the window does not repeat. */
export function whyNoRecurrence(times: Times): string | null {
  const { recurrence, startsAt, timezone } = times;
  if (recurrence === null) return null;
  try {
    ruleOf(recurrence, startsAt, timezone);
  } catch {
    return 'Enter a rule such as FREQ=WEEKLY;BYDAY=SU.';
  }
  if (!nextOccurrence(times, startsAt)) return 'This rule never matches a date, or none within ten years.';
  if (recurrence.includes('COUNT=') && isEndless(ruleOf(recurrence, startsAt, timezone))) {
    return 'The last occurrence is too far in the future. Lower COUNT or use UNTIL.';
  }
  return null;
}
