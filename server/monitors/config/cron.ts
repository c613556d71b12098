import { Cron } from 'croner';

const MOST_KEPT = 1_000;
const kept = new Map<string, Cron>();

/** Runs looked at to find the longest time between two; enough for a job of some days of a month. */
const RUNS_LOOKED_AT = 64;

/** Five fields, as cron(5) has them. Throws for anything else. */
function read(cron: string, timezone: string): Cron {
  const key = `${timezone} ${cron}`;
  const known = kept.get(key);
  if (known) return known;
  if (cron.trim().split(/\s+/).length !== 5) throw new TypeError('A cron schedule has five fields.');
  const made = new Cron(cron.trim(), { timezone, mode: '5-part', paused: true });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

/**
 * The first moment after `after` that a cron schedule names in its zone; null where there is none any more. A time that a
 * change to summer time skips is met right after the gap, one that comes twice is met once.
 */
export function nextRun(cron: string, timezone: string, after: Date): Date | null {
  return read(cron, timezone).nextRun(after);
}

/** Why a cron schedule cannot be followed, in words; null where it can. */
export function cronFault(cron: string): string | null {
  try {
    return nextRun(cron, 'UTC', new Date()) ? null : 'This schedule names no time that will come.';
  } catch {
    return 'Give five fields, as cron has them: 0 3 * * 1-5.';
  }
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The longest time between two runs among the next ones, in whole seconds. */
export function longestGapSeconds(cron: string, timezone: string, from: Date): number {
  const runs = read(cron, timezone).nextRuns(RUNS_LOOKED_AT, from);
  const gaps = runs.slice(1).map((run, index) => (run.getTime() - (runs[index]?.getTime() ?? 0)) / 1000);
  return Math.max(60, ...gaps);
}
