import { MINUTE_MS } from '@/server/time/schema';
import type { IncidentChange, WatchState } from './types';

/** What is kept of a monitor's changes between down and not down. */
export type Changes = Pick<WatchState, 'changes' | 'steadySince'>;

/** So many changes within the window are flapping: down, up, down. */
const CHANGES = 3;
/** The latest ones are enough to count to `CHANGES`, also where a window began in the middle of a downtime. */
const MOST_KEPT = 4;
const WINDOW_INTERVALS = 20;
const SHORTEST_WINDOW_MS = 3_600_000;
const LONGEST_WINDOW_MS = 86_400_000;

/** The window in which changes are counted, in milliseconds: twenty intervals, at least an hour and at most a day. */
export function flapWindowMs(intervalSeconds: number): number {
  return Math.min(Math.max(WINDOW_INTERVALS * intervalSeconds * 1000, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
}

/** How long a monitor that flapped must be up without a change until that is over, in milliseconds. */
export function steadyMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 4;
}

/** How long it must be down without a change until it counts as down and no longer as flapping, in milliseconds. */
export function downForGoodMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 6;
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes >= 120 ? `${Math.round(minutes / 60)} h` : `${minutes} min`;
}

/** What a step without regard to flapping comes to. */
interface Step {
  /** Since when the monitor is down, or is not any more, where that is new. */
  changedAt: Date | null;
  openIncident: WatchState['openIncident'];
  incidents: IncidentChange[];
}

interface Moment {
  at: Date;
  /** Why the check failed. */
  error: string | null;
  intervalSeconds: number;
  isDown: boolean;
  isUnknown: boolean;
  /** The check agrees with the status. */
  isSettled: boolean;
}

type Held = Changes & Pick<Step, 'openIncident' | 'incidents'>;

function begin(state: Changes, { changedAt, openIncident, incidents }: Step, { at, intervalSeconds }: Moment): Held {
  const after = at.getTime() - flapWindowMs(intervalSeconds);
  const all = changedAt ? [...state.changes, changedAt] : state.changes;
  const changes = changedAt ? all.filter((change) => change.getTime() > after).slice(-MOST_KEPT) : all;
  const [first] = changes;
  const isTold = incidents.some((incident) => incident.kind === 'open' && incident.type === 'downtime');
  if (!changedAt || !first || !isTold || changes.length < CHANGES) {
    return { changes, steadySince: null, openIncident, incidents };
  }
  const prefix = `Flapping: ${changes.length} changes in ${inWords(at.getTime() - first.getTime())}`;
  const told = incidents.map((incident) =>
    incident.kind === 'open' ? { ...incident, cause: `${prefix}. ${incident.cause}` } : incident,
  );
  return { changes: [], steadySince: changedAt, openIncident, incidents: told };
}

function hold(state: Changes & { steadySince: Date }, { changedAt }: Step, moment: Moment): Held {
  const { at, error, intervalSeconds, isDown, isUnknown, isSettled } = moment;
  // Changes since the notification about flapping, which had none of their own.
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
 * Counts a monitor's changes between down and not down. Too many in a window are flapping: the downtime that is about to
 * be opened says so, and is held open, whatever the status does, until the monitor has been up for a quarter of the window. If
 * it was up again meanwhile and then stays down for a sixth of the window, another downtime opens in its place, so that people
 * are notified of that.
 * Time in which nobody saw the monitor does not count as steady.
 */
export function countChanges(state: Changes, step: Step, moment: Moment): Held {
  const { steadySince, changes } = state;
  return steadySince ? hold({ steadySince, changes }, step, moment) : begin(state, step, moment);
}
