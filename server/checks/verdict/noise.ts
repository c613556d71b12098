import { DAY_MS, MINUTE_MS } from '@/server/time/schema';
import type { Policy, WatchState } from './types';

/** How long a short failure counts: this many intervals, because more frequent checks notice more of them, and at most a week. */
const ADDED_INTERVALS = 10_080;
const MOST_ADDED_MS = 7 * DAY_MS;
/** The maximum number of short failures that count. */
const MOST_COUNTED = 4;
/** A downtime that lasts at least this long shows that failing checks are not only noise. */
const REAL_DOWNTIME_MS = 2 * MINUTE_MS;

/** How many times as long the failing checks of a noisy monitor must last until it is down. */
export const NOISY_FACTOR = 2;

type Noise = Pick<WatchState, 'noiseUntil'>;
type Interval = Pick<Policy, 'intervalSeconds'>;

const addedMs = ({ intervalSeconds }: Interval) => Math.min(ADDED_INTERVALS * intervalSeconds * 1000, MOST_ADDED_MS);

/**
 * Returns until when a monitor is noisy because of several recent short failures, if no other follows. Null if it is not, or its policy ignores it.
 */
export function noisyUntil(
  { noiseUntil }: Noise,
  at: Date,
  policy: Interval & Pick<Policy, 'isAdaptive'>,
): Date | null {
  if (!policy.isAdaptive || noiseUntil === null) return null;
  const until = new Date(noiseUntil.getTime() - addedMs(policy));
  return until > at ? until : null;
}

/** Returns `noiseUntil` after failing checks that did not lead to a downtime. Noise is a leaky bucket, stored as the time at which it is empty. */
export function afterShortFailure({ noiseUntil }: Noise, at: Date, policy: Interval): Date {
  const from = Math.max(at.getTime(), noiseUntil?.getTime() ?? 0);
  return new Date(Math.min(from + addedMs(policy), at.getTime() + MOST_COUNTED * addedMs(policy)));
}

/** Returns `noiseUntil` after a downtime: null if it lasted 2 min or longer, otherwise unchanged. */
export function afterDowntime({ noiseUntil }: Noise, lastedMs: number): Date | null {
  return lastedMs < REAL_DOWNTIME_MS ? noiseUntil : null;
}
