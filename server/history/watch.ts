import { type Watch, watchedUntil } from './watched-until';

interface Rules {
  intervalSeconds: number;
  config: unknown;
}

/** What of a monitor's row says how long its checks speak for it. */
export interface Watched extends Rules {
  watchChangedAt: Date | null;
  formerWatchMs: number | null;
}

/** The parts of a config that say how long an answer may take: that of a check, or a heartbeat's ping. */
interface Timed {
  timeoutMs?: number;
  graceSeconds?: number;
}

/**
 * How long a monitor counts as being watched after a check began, in milliseconds: two intervals and the time an answer
 * may take. What is later was seen by nobody, so its status is unknown.
 */
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

/** Until when the last check of a monitor still speaks for it; null where there was none. */
export function knownUntil(monitor: Watched, lastCheckedAt: Date | null): Date | null {
  return lastCheckedAt && watchedUntil(toWatch(monitor), lastCheckedAt);
}

/**
 * What an edit has to keep, so that it does not change what the checks before it said. Of several edits without a check
 * between them, the rule of that check is the one that stays.
 *
 * @param before the row as it was
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
