import { type Watch, watchedUntil } from './watched-until';

interface Rules {
  intervalSeconds: number;
  config: unknown;
}

/** The columns of a monitor that determine how long its checks are valid. */
export interface Watched extends Rules {
  watchChangedAt: Date | null;
  formerWatchMs: number | null;
}

/** The fields of a config that bound the duration of a check, or of a heartbeat's grace period. */
interface Timed {
  timeoutMs?: number;
  graceSeconds?: number;
}

/** Returns how long a check is valid after its start, in milliseconds: two intervals plus the timeout or grace period. Then the status is unknown. */
function watchedForMs({ intervalSeconds, config }: Rules): number {
  const { timeoutMs = 10_000, graceSeconds } = config as Timed;
  return 2 * intervalSeconds * 1000 + (graceSeconds === undefined ? timeoutMs : graceSeconds * 1000);
}

export function toWatch(monitor: Watched): Watch {
  const { watchChangedAt: at, formerWatchMs: formerMs } = monitor;
  return {
    watchedForMs: watchedForMs(monitor),
    watchChanged: at !== null && formerMs !== null ? { at, formerMs } : null,
  };
}

/** Returns until when the last check of a monitor is valid; null without a check. */
export function knownUntil(monitor: Watched, lastCheckedAt: Date | null): Date | null {
  return lastCheckedAt && watchedUntil(toWatch(monitor), lastCheckedAt);
}

/**
 * Returns the columns to store with an edit, so that it does not change how long earlier checks are valid. After several edits without a check in
 * between, the rules of the last check still apply.
 * @param before the row before the edit
 * @param after the rules from `at` on
 */
export function keepWatch(
  before: Watched,
  after: Rules,
  { at, lastCheckedAt }: { at: Date; lastCheckedAt: Date | null },
): Pick<Watched, 'watchChangedAt' | 'formerWatchMs'> {
  const { watchChangedAt, formerWatchMs } = before;
  const ms = watchedForMs(before);
  if (watchedForMs(after) === ms) return { watchChangedAt, formerWatchMs };
  const isUnchecked = watchChangedAt !== null && lastCheckedAt !== null && lastCheckedAt < watchChangedAt;
  return { watchChangedAt: at, formerWatchMs: isUnchecked ? formerWatchMs : ms };
}
