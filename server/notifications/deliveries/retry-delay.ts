/**
 * The delay in seconds after the 1st, 2nd, … failed attempt: short at first, because most receivers recover within a minute, then up to about 23 h in
 * total.
 */
const DELAYS = [5, 15, 45, 120, 300, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 21_600];

/**
 * A receiver that rejects (4xx) is probably misconfigured, but a receiver being deployed answers 404 or 403 as well: the first five retries, about 8
 * min.
 */
const DELAYS_AFTER_REFUSAL = 5;

/** Retryable 4xx: request timeout, too early, too many requests (RFC 9110, 8470, 6585). */
const LATER = new Set([408, 425, 429]);

/** The maximum delay of retries for causes on our side, which never end. */
const LONGEST_WAIT_FOR_US = 1_800;

/** A receiver's Retry-After is limited to our own longest delay. */
const LONGEST_WAIT = 21_600;
/** A receiver's Retry-After delays other messages of its channel for at most this long; then one of them tries again. */
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
 * Seconds until the next attempt, or null to give up. `attempts` includes the failed one; `random` is from 0 to 1 and adds a jitter of 10 %.
 * Retry-After only extends a delay.
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

/** Seconds for which a receiver's Retry-After delays every message of its channel. */
export function channelPause(retryAfterSeconds = 0): number {
  return Math.min(retryAfterSeconds, LONGEST_PAUSE);
}
