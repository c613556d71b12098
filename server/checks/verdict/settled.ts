import { NO_STREAK } from './latency-streak';
import type { WatchState } from './types';

/** The counters of checks that contradict a monitor's state. */
export type Counted = Pick<WatchState, 'failures' | 'recoveries' | 'turnedAt' | 'latencyStreak' | 'latencyTurnedAt'>;

/** The counters of a new monitor, and after a status change. */
export const SETTLED: Counted = { failures: 0, recoveries: 0, turnedAt: null, ...NO_STREAK };
