import { DAY_MS, MINUTE_MS } from '@/server/time/schema';
import type { Policy, WatchState } from './types';

/** The time that a short failure adds: so many intervals, because more frequent checks notice more of them, and at most a week. */
const ADDED_INTERVALS = 10_080;
const MOST_ADDED_MS = 7 * DAY_MS;
/** The maximum number of short failures that count. */
const MOST_COUNTED = 4;
/** A downtime that lasts at least this long shows that failing checks are not only noise. */
const REAL_DOWNTIME_MS = 2 * MINUTE_MS;

type Noise = Pick<WatchState, 'noiseUntil'>;
type Interval = Pick<Policy, 'intervalSeconds'>;

const addedMs = ({ intervalSeconds }: Interval) => Math.min(ADDED_INTERVALS * intervalSeconds * 1000, MOST_ADDED_MS);

/** Whether a monitor had more than one short failure lately. */
export function isNoisy({ noiseUntil }: Noise, at: Date, policy: Interval): boolean {
  return noiseUntil !== null && noiseUntil.getTime() - at.getTime() > addedMs(policy);
}

/** The noise after failing checks that did not lead to a downtime: a leaky bucket, stored as the time at which it is empty. */
export function afterShortFailure({ noiseUntil }: Noise, at: Date, policy: Interval): Date {
  const from = Math.max(at.getTime(), noiseUntil?.getTime() ?? 0);
  return new Date(Math.min(from + addedMs(policy), at.getTime() + MOST_COUNTED * addedMs(policy)));
}

/** The noise after a downtime. */
export function afterDowntime({ noiseUntil }: Noise, lastedMs: number): Date | null {
  return lastedMs < REAL_DOWNTIME_MS ? noiseUntil : null;
}
