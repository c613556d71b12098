/** The delay in seconds after the 1st, 2nd, … failed attempt: short at first, because most receivers recover within a minute; about 23 h in total. */
const DELAYS = [5, 15, 45, 120, 300, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 21_600];

/**
 * A receiver that answers 4xx is probably misconfigured, but one that is being deployed answers 404 or 403 too. It gets the first five retries,
 * about 8 min.
 */
const DELAYS_AFTER_REFUSAL = 5;

/** Retryable 4xx: request timeout, too early, too many requests (RFC 9110, 8470, 6585). */
const LATER = new Set([408, 425, 429]);

/** The longest delay of retries after a failure of this instance, which are not limited in number. */
const LONGEST_WAIT_FOR_US = 1_800;

/** A longer Retry-After is reduced to our own longest delay. */
const LONGEST_WAIT = 21_600;
/** The longest time for which a Retry-After pauses other messages of its channel; then one of them is attempted. */
const LONGEST_PAUSE = 3_600;
const JITTER = 0.1;

export interface Failure {
  permanent: boolean;
  isOurs?: boolean;
  statusCode: number | null;
  retryAfterSeconds?: number;
}

function isRefusal(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 400 && statusCode < 500 && !LATER.has(statusCode);
}

/**
 * Returns the seconds until the next attempt, or null to give up. Retry-After only extends the delay.
 * @param attempts includes the failed one
 * @param random from 0 to 1, for a jitter of 10 %
 */
export function retryDelay(attempts: number, failure: Failure, random: number): number | null {
  if (failure.permanent) return null;
  const delays = isRefusal(failure.statusCode) ? DELAYS.slice(0, DELAYS_AFTER_REFUSAL) : DELAYS;
  const due = delays[attempts - 1];
  const delay = failure.isOurs ? Math.min(due ?? LONGEST_WAIT_FOR_US, LONGEST_WAIT_FOR_US) : due;
  if (delay === undefined) return null;
  const spread = delay * (1 + JITTER * (2 * random - 1));
  return Math.max(spread, Math.min(failure.retryAfterSeconds ?? 0, LONGEST_WAIT));
}

/** Returns the seconds for which a receiver's Retry-After pauses all messages of its channel. */
export function channelPause(retryAfterSeconds = 0): number {
  return Math.min(retryAfterSeconds, LONGEST_PAUSE);
}
