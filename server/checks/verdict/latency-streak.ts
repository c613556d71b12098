import type { Seen, WatchState } from './types';

/** The number of consecutive checks whose latency contradicts the status, and when that streak began. */
export type LatencyStreak = Pick<WatchState, 'latencyStreak' | 'latencyTurnedAt'>;

export interface LatencyDecision extends LatencyStreak {
  isDegraded: boolean;
  /** When the new state began; null if it did not change. */
  since: Date | null;
}

export const NO_STREAK: LatencyStreak = { latencyStreak: 0, latencyTurnedAt: null };

/** Returns whether a monitor counts as degraded, also while its status is unknown. */
export const countsAsDegraded = ({ status, openIncident }: Pick<WatchState, 'status' | 'openIncident'>) =>
  status === 'degraded' || openIncident === 'degraded';

/**
 * Applies an answered check to a monitor's latency streak. `asked` consecutive slow checks start "degraded", and as many clearly fast ones end it.
 * A check between the two limits counts for neither, so that a latency around the limit changes nothing (hysteresis).
 * @param asked the number of checks; null if degraded is not about latency and counts at once
 */
export function countLatency(state: WatchState, seen: Seen, asked: number | null): LatencyDecision {
  const isSlow = seen.status === 'degraded';
  const wasDegraded = countsAsDegraded(state);
  if (asked === null) return { isDegraded: isSlow, since: isSlow === wasDegraded ? null : seen.at, ...NO_STREAK };
  const isAgainst = wasDegraded ? !isSlow && !seen.isNearlySlow : isSlow;
  if (!isAgainst) return { isDegraded: wasDegraded, since: null, ...NO_STREAK };
  const latencyStreak = state.latencyStreak + 1;
  const latencyTurnedAt = state.latencyStreak > 0 && state.latencyTurnedAt ? state.latencyTurnedAt : seen.at;
  if (latencyStreak >= asked) return { isDegraded: !wasDegraded, since: latencyTurnedAt, ...NO_STREAK };
  return { isDegraded: wasDegraded, since: null, latencyStreak, latencyTurnedAt };
}
