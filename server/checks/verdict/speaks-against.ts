import type { Verdict } from '@/server/monitor-types/probing/observation';
import { isBelievedDown } from './transition';
import type { Policy, WatchState } from './types';

type Present = Pick<WatchState, 'status' | 'openIncident' | 'steadySince' | 'changes'>;

/**
 * Returns whether a check contradicts the state of its row, so that a verdict that opens or resolves an incident may count it. Pure. False for a
 * passing check of a monitor that is up, and for a failing check during a downtime with an open incident.
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
