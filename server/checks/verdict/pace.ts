import type { Seen, WatchState } from './transition';

/** Checks in a row whose speed speaks against the present one, and when the row began. */
export type Pace = Pick<WatchState, 'paceChecks' | 'paceTurnedAt'>;

export interface PaceDecision extends Pace {
  isDegraded: boolean;
  /** Since when, where that is new. */
  since: Date | null;
}

export const STEADY_PACE: Pace = { paceChecks: 0, paceTurnedAt: null };

/**
 * What an answered check makes of a monitor's speed. Degraded takes `asked` slow checks in a row, and as many clearly
 * fast ones end it: what is nearly slow speaks for neither, so that an answer time around the limit moves nothing.
 *
 * @param asked null where a degraded verdict is not about speed: then it counts at once
 */
export function keepPace(state: WatchState, seen: Seen, asked: number | null): PaceDecision {
  const isSlow = seen.status === 'degraded';
  const wasDegraded = state.status === 'degraded' || state.openIncident === 'degraded';
  if (asked === null) return { isDegraded: isSlow, since: isSlow === wasDegraded ? null : seen.at, ...STEADY_PACE };
  const isAgainst = wasDegraded ? !isSlow && !seen.isNearlySlow : isSlow;
  if (!isAgainst) return { isDegraded: wasDegraded, since: null, ...STEADY_PACE };
  const paceChecks = state.paceChecks + 1;
  const paceTurnedAt = state.paceChecks > 0 && state.paceTurnedAt ? state.paceTurnedAt : seen.at;
  if (paceChecks >= asked) return { isDegraded: !wasDegraded, since: paceTurnedAt, ...STEADY_PACE };
  return { isDegraded: wasDegraded, since: null, paceChecks, paceTurnedAt };
}
