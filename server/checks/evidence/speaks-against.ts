import type { Verdict } from '@/server/monitor-types/probing/observation';
import { isBelievedDown } from '../verdict/transition';
import type { Policy, WatchState } from '../verdict/types';

type Present = Pick<WatchState, 'status' | 'openIncident' | 'steadySince'>;

/**
 * Whether a check contradicts the state of its row, so that a verdict that opens or resolves an incident may count it. Pure. A passing
 * check of a monitor that is up does not, and neither does a failing one of a downtime whose incident is open.
 */
export function speaksAgainst(state: Present, { status }: Verdict, { degraded }: Pick<Policy, 'degraded'>): boolean {
  switch (status) {
    case 'down':
      return state.status !== 'down' || state.openIncident !== 'downtime';
    case 'degraded':
      if (isBelievedDown(state)) return true;
      return degraded !== null && (state.status !== 'degraded' || state.openIncident === null);
    case 'up':
      return state.openIncident !== null || isBelievedDown(state);
    case 'unknown':
      return false;
    default:
      return status satisfies never;
  }
}
