import { MINUTE_MS } from '@/server/time/schema';
import type { IncidentChange, WatchState } from './types';

/** The recent changes of a monitor between down and not down. */
export type Changes = Pick<WatchState, 'changes' | 'steadySince'>;

/** This many changes within the window count as flapping: down, up, down. */
const CHANGES = 3;
/** The number of changes that are kept: enough to count `CHANGES`, even if a window begins during a downtime. */
const MOST_KEPT = 4;
const WINDOW_INTERVALS = 20;
const SHORTEST_WINDOW_MS = 3_600_000;
const LONGEST_WINDOW_MS = 86_400_000;

/** The window in which changes are counted, in milliseconds: twenty intervals, at least an hour and at most a day. */
export function flapWindowMs(intervalSeconds: number): number {
  return Math.min(Math.max(WINDOW_INTERVALS * intervalSeconds * 1000, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
}

/** How long a flapping monitor must be up without a change until the flapping ends, in milliseconds. */
export function steadyMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 4;
}

/** How long a flapping monitor must be down without a change until it counts as down, in milliseconds. */
export function downForGoodMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 6;
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes >= 120 ? `${Math.round(minutes / 60)} h` : `${minutes} min`;
}

/** The decision without regard to flapping. */
interface Step {
  /** When the monitor changed to or from down; null if it did not. */
  changedAt: Date | null;
  openIncident: WatchState['openIncident'];
  incidents: IncidentChange[];
}

interface Moment {
  at: Date;
  /** The cause of a failing check. */
  error: string | null;
  intervalSeconds: number;
  isDown: boolean;
  isUnknown: boolean;
  /** Whether the check agrees with the status. */
  isSettled: boolean;
}

type Held = Changes & Pick<Step, 'openIncident' | 'incidents'>;

function begin(state: Changes, { changedAt, openIncident, incidents }: Step, { at, intervalSeconds }: Moment): Held {
  const after = at.getTime() - flapWindowMs(intervalSeconds);
  const all = changedAt ? [...state.changes, changedAt] : state.changes;
  const changes = changedAt ? all.filter((change) => change.getTime() > after).slice(-MOST_KEPT) : all;
  const [first] = changes;
  const isOpening = incidents.some((incident) => incident.kind === 'open' && incident.type === 'downtime');
  if (!changedAt || !first || !isOpening || changes.length < CHANGES) {
    return { changes, steadySince: null, openIncident, incidents };
  }
  const prefix = `Flapping: ${changes.length} changes in ${inWords(at.getTime() - first.getTime())}`;
  const prefixed = incidents.map((incident) =>
    incident.kind === 'open' ? { ...incident, cause: `${prefix}. ${incident.cause}` } : incident,
  );
  return { changes: [], steadySince: changedAt, openIncident, incidents: prefixed };
}

function hold(state: Changes & { steadySince: Date }, { changedAt }: Step, moment: Moment): Held {
  const { at, error, intervalSeconds, isDown, isUnknown, isSettled } = moment;
  // Only the last change since the notification about flapping; it was not notified itself.
  const changes = changedAt ? [changedAt] : state.changes;
  const steadySince = changedAt ?? (isUnknown ? at : state.steadySince);
  const steadyForMs = at.getTime() - steadySince.getTime();
  const isOver = isSettled && steadyForMs >= (isDown ? downForGoodMs : steadyMs)(intervalSeconds);
  if (!isOver) return { changes, steadySince, openIncident: 'downtime', incidents: [] };
  const over = { changes: [], steadySince: null };
  const message = `Flapping stopped: ${isDown ? 'down' : 'up'} for ${inWords(steadyForMs)}.`;
  if (!isDown) return { ...over, openIncident: null, incidents: [{ kind: 'resolve', resolvedAt: at, message }] };
  if (changes.length === 0) {
    return { ...over, openIncident: 'downtime', incidents: [{ kind: 'note', at, message }] };
  }
  const cause = `Down for ${inWords(steadyForMs)} after flapping. ${error ?? 'The check failed'}`;
  const incidents: IncidentChange[] = [
    { kind: 'supersede', resolvedAt: steadySince, message },
    { kind: 'open', type: 'downtime', startedAt: steadySince, cause },
  ];
  return { ...over, openIncident: 'downtime', incidents };
}

/**
 * Counts a monitor's changes between down and not down. If there are too many in the window, the downtime that is about to open is marked as
 * flapping and stays open regardless of the status, until the monitor has been up for a quarter of the window. If the monitor was up meanwhile and
 * then stays down for a sixth of the window, another downtime replaces it, so that people are notified. Time without checks does not count as
 * steady.
 */
export function countChanges(state: Changes, step: Step, moment: Moment): Held {
  const { steadySince, changes } = state;
  return steadySince ? hold({ steadySince, changes }, step, moment) : begin(state, step, moment);
}
