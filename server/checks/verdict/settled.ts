import { NO_STREAK } from './latency-streak';
import type { WatchState } from './types';

/** What a monitor's state counts from one check to the next. */
export type Counted = Pick<WatchState, 'failures' | 'recoveries' | 'turnedAt' | 'latencyStreak' | 'latencyTurnedAt'>;

/** The counts of a new monitor, and of one whose status was just decided. */
export const SETTLED: Counted = { failures: 0, recoveries: 0, turnedAt: null, ...NO_STREAK };
