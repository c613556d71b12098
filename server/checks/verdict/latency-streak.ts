import type { Seen, WatchState } from './types';

/** Checks in a row whose latency contradicts the present status, and when the row began. */
export type LatencyStreak = Pick<WatchState, 'latencyStreak' | 'latencyTurnedAt'>;

export interface LatencyDecision extends LatencyStreak {
  isDegraded: boolean;
  /** Since when, where that is new. */
  since: Date | null;
}

export const NO_STREAK: LatencyStreak = { latencyStreak: 0, latencyTurnedAt: null };

/**
 * What an answered check makes of a monitor's speed. Degraded takes `asked` slow checks in a row, and as many clearly
 * fast ones end it: what is nearly slow speaks for neither, so that an answer time around the limit moves nothing.
 *
 * @param asked null where a degraded verdict is not about speed: then it counts at once
 */
export function countLatency(state: WatchState, seen: Seen, asked: number | null): LatencyDecision {
  const isSlow = seen.status === 'degraded';
  const wasDegraded = state.status === 'degraded' || state.openIncident === 'degraded';
  if (asked === null) return { isDegraded: isSlow, since: isSlow === wasDegraded ? null : seen.at, ...NO_STREAK };
  const isAgainst = wasDegraded ? !isSlow && !seen.isNearlySlow : isSlow;
  if (!isAgainst) return { isDegraded: wasDegraded, since: null, ...NO_STREAK };
  const latencyStreak = state.latencyStreak + 1;
  const latencyTurnedAt = state.latencyStreak > 0 && state.latencyTurnedAt ? state.latencyTurnedAt : seen.at;
  if (latencyStreak >= asked) return { isDegraded: !wasDegraded, since: latencyTurnedAt, ...NO_STREAK };
  return { isDegraded: wasDegraded, since: null, latencyStreak, latencyTurnedAt };
}
