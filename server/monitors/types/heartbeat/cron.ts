import { Cron, CronPattern } from 'croner';
import { DAY_MS } from '@/server/time/schema';

const MOST_KEPT = 1_000;
const kept = new Map<string, Cron>();

/** A schedule with lists or ranges, like one with single values, runs once in a repeated hour, as in Vixie cron. */
const RULES = { mode: '5-part', fixedTimeRule: 'no-wildcard' } as const;

const MINUTES_A_DAY = 1440;
/** The start of the analysed days: two years, one of them a leap year. */
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const TWO_YEARS_DAYS = 731;
/** Days that occur less often than this in two years are followed further: 29 February occurs every fourth year. */
const FEW_DAYS = 25;

/** Five fields, as in cron(5). Throws for anything else. */
function read(cron: string, timezone: string): Cron {
  const key = `${timezone} ${cron}`;
  const known = kept.get(key);
  if (known) return known;
  if (cron.trim().split(/\s+/).length !== 5) throw new TypeError('A cron schedule has five fields.');
  const made = new Cron(cron.trim(), { ...RULES, timezone, paused: true });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

/**
 * The first run of a cron schedule after `after` in its zone; null without one. A time skipped by daylight saving time is due right after the gap. A
 * repeated time is due once, unless the minute or the hour has a wildcard.
 */
export function nextRun(cron: string, timezone: string, after: Date): Date | null {
  return read(cron, timezone).nextRun(after);
}

/** Whether a text is a cron schedule. `everRuns` decides whether it ever runs. */
export function isCron(text: string): boolean {
  try {
    read(text, 'UTC');
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a cron schedule runs at any time after `now`. For one that never does, such as 30 February, croner tries all years up to 10,000, which
 * takes up to half a second: run it in the evaluation thread. Throws for an invalid schedule.
 */
export const everRuns = (cron: string, now: Date) => nextRun(cron, 'UTC', now) !== null;

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The days on which a schedule runs, counted from `FIRST_DAY_MS`. */
function daysOf(cron: string): number[] {
  const days = read(`0 0 ${cron.trim().split(/\s+/).slice(2).join(' ')}`, 'UTC');
  const found = Array.from({ length: TWO_YEARS_DAYS }, (_, day) => day).filter((day) =>
    days.match(new Date(FIRST_DAY_MS + day * DAY_MS)),
  );
  if (found.length >= FEW_DAYS) return found;
  const runs = days.nextRuns(FEW_DAYS, new Date(FIRST_DAY_MS));
  return runs.map((run) => (run.getTime() - FIRST_DAY_MS) / DAY_MS);
}

const longestStep = (numbers: number[]) =>
  Math.max(0, ...numbers.slice(1).map((each, index) => each - (numbers[index] ?? 0)));

/**
 * The longest time between two runs by local time, in whole seconds. It depends on the schedule alone; the longer day at the end of daylight saving
 * time is ignored.
 */
export function longestGapSeconds(cron: string): number {
  const { minute, hour } = new CronPattern(cron.trim(), 'UTC', RULES);
  const minutes = Array.from({ length: MINUTES_A_DAY }, (_, each) => each).filter(
    (each) => hour[Math.floor(each / 60)] && minute[each % 60],
  );
  const span = (minutes.at(-1) ?? 0) - (minutes[0] ?? 0);
  const overnight = longestStep(daysOf(cron)) * MINUTES_A_DAY - span;
  return 60 * Math.max(longestStep(minutes), overnight);
}
