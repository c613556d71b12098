/**
 * Seconds to wait after the 1st, 2nd, … failed attempt: quick at first, because most receivers are back within a minute,
 * then up to some 23 hours in all.
 */
const DELAYS = [5, 15, 45, 120, 300, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 21_600];

/**
 * A receiver that refuses (4xx) is most likely set up wrong, but one in the middle of a deployment answers 404 or 403 as
 * well: it gets the first five retries, some eight minutes.
 */
const DELAYS_AFTER_REFUSAL = 5;

/** 4xx that say "later", not "no": request timeout, too early, too many requests (RFC 9110, 8470, 6585). */
const LATER = new Set([408, 425, 429]);

/** What we have to mend ourselves is tried this often at least, and never given up. */
const LONGEST_WAIT_FOR_US = 1_800;

/** A receiver may ask for patience, but not for longer than our own longest wait. */
const LONGEST_WAIT = 21_600;
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
 * Seconds until the next attempt, or null to give up. `attempts` counts those made, the failed one included; `random` is
 * from 0 to 1 and spreads the waits by a tenth to each side. Retry-After makes a wait longer, never shorter.
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
