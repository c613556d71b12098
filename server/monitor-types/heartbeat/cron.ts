import { Cron, CronPattern } from 'croner';
import { canonicalZone, DAY_MS } from '@/server/time/schema';

/** The maximum number of cached schedules. Each has an array of all years, of 80 KB. */
const MOST_KEPT = 200;
const kept = new Map<string, Cron>();

/** Makes a schedule with lists or ranges run once in a repeated hour, like one with single values, as in Vixie cron. */
const RULES = { fixedTimeRule: 'no-wildcard' } as const;

const MINUTES_A_DAY = 1440;
/** The start of the analysed days: two years, one of them a leap year. */
const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const TWO_YEARS_DAYS = 731;
/** Schedules with fewer days in two years are followed for 28 years, after which weekdays fall on the same dates again. */
const FEW_DAYS = 25;
const CYCLE_YEARS = 28;
const CYCLE_DAYS = (CYCLE_YEARS / 4) * 1461;
/** The longest time between two runs: 29 February of 2096 and 2104. */
const MOST_YEARS = 8;
const MOST_DAYS = MOST_YEARS * 366;

/**
 * Parses five fields, as in cron(5), and limits the schedule to `years` years after `from`. Without that limit, croner searches 400 years for a run,
 * which takes seconds for a schedule whose times are always skipped by daylight saving time.
 * @throws TypeError for anything else
 */
function read(cron: string, timezone: string, from: Date, years: number): Cron {
  const year = from.getUTCFullYear();
  const span = `${year - 1}-${year + years}`;
  const key = `${timezone} ${span} ${cron}`;
  const known = kept.get(key);
  if (known) return known;
  if (cron.trim().split(/\s+/).length !== 5) throw new TypeError('A cron schedule has five fields.');
  const made = new Cron(`0 ${cron.trim()} ${span}`, { ...RULES, mode: '7-part', timezone, paused: true });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

/**
 * Returns the first run of a cron schedule after `after`, in its zone; null if there is none in eight years. A time skipped by daylight saving time
 * is due right after the gap, unless the minute or the hour has a wildcard: then it is left out. A repeated time is due once, with the same
 * exception.
 */
export function nextRun(cron: string, timezone: string, after: Date): Date | null {
  return read(cron, timezone, after, MOST_YEARS).nextRun(after);
}

/** The maximum length of a schedule, because parsed schedules are cached. */
export const MOST_CRON_CHARACTERS = 200;

/** Whether a text is a cron schedule. `runsOften` decides whether it ever runs. */
export function isCron(text: string): boolean {
  if (text.length > MOST_CRON_CHARACTERS) return false;
  try {
    read(text, 'UTC', new Date(FIRST_DAY_MS), MOST_YEARS);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a cron schedule runs at least once in eight years after `now`, in its zone. It may never run, because daylight saving time may always skip
 * its times. May take a tenth of a second, so run it in the evaluation thread.
 * @throws TypeError for an invalid schedule or zone
 */
export function runsOften(cron: string, timezone: string, now: Date): boolean {
  const days = daysOf(cron);
  const all = days.length < FEW_DAYS ? [0, ...days, CYCLE_DAYS] : days;
  return longestStep(all) <= MOST_DAYS && nextRun(cron, timezone, now) !== null;
}

export const isTimezone = (name: string) => canonicalZone(name) !== null;

/** The last result of `daysOf`, because both `runsOften` and `longestGapSeconds` need it. */
let latest: { cron: string; days: number[] } | null = null;

/** Returns the days on which a schedule runs, counted from `FIRST_DAY_MS`. */
function daysOf(cron: string): number[] {
  if (latest?.cron !== cron) latest = { cron, days: findDays(cron) };
  return latest.days;
}

function findDays(cron: string): number[] {
  const days = read(`0 0 ${cron.trim().split(/\s+/).slice(2).join(' ')}`, 'UTC', new Date(FIRST_DAY_MS), CYCLE_YEARS);
  const found = Array.from({ length: TWO_YEARS_DAYS }, (_, day) => day).filter((day) =>
    days.match(new Date(FIRST_DAY_MS + day * DAY_MS)),
  );
  if (found.length >= FEW_DAYS) return found;
  const runs = days.nextRuns(FEW_DAYS, new Date(FIRST_DAY_MS - 1_000));
  return runs.map((run) => (run.getTime() - FIRST_DAY_MS) / DAY_MS);
}

const longestStep = (numbers: number[]) =>
  Math.max(0, ...numbers.slice(1).map((each, index) => each - (numbers[index] ?? 0)));

/**
 * Returns the longest time between two runs by local time, in whole seconds. Depends only on the schedule; ignores that the day at the end of
 * daylight saving time is longer. May take a tenth of a second, so run it in the evaluation thread.
 */
export function longestGapSeconds(cron: string): number {
  const { minute, hour } = new CronPattern(cron.trim(), 'UTC', { ...RULES, mode: '5-part' });
  const minutes = Array.from({ length: MINUTES_A_DAY }, (_, each) => each).filter(
    (each) => hour[Math.floor(each / 60)] && minute[each % 60],
  );
  const span = (minutes.at(-1) ?? 0) - (minutes[0] ?? 0);
  const overnight = longestStep(daysOf(cron)) * MINUTES_A_DAY - span;
  return 60 * Math.max(longestStep(minutes), overnight);
}
