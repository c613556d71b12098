import type { MonitorStatus } from '@/server/monitor-types/schema';
import { MINUTE_MS } from '@/server/time/schema';
import type { IncidentChange, Policy, WatchState } from './types';

/** The recent changes of a monitor between down and not down. */
export type Changes = Pick<WatchState, 'changes' | 'steadySince'>;

/** Two outages within an hour (four changes) are not flapping: people are notified of each. */
export const FLAP_CHANGES = 5;
/** Higher for pings, because they are not confirmed: each late ping makes two changes, and a few late ones are not flapping. */
export const FLAP_CHANGES_OF_PINGS = 7;
const WINDOW_INTERVALS = 12;
const SHORTEST_WINDOW_MS = 3_600_000;
const LONGEST_WINDOW_MS = 86_400_000;

/** Returns the window in which changes are counted, in milliseconds: twelve intervals, at least an hour and at most a day. */
export function flapWindowMs(intervalSeconds: number): number {
  return Math.min(Math.max(WINDOW_INTERVALS * intervalSeconds * 1000, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
}

/** Returns the maximum time that a flapping monitor must be up without a change until the flapping ends, in milliseconds. */
export function steadyMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 4;
}

/** Returns for how long a flapping monitor must be down without a change until the flapping ends, in milliseconds. */
export function downForGoodMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 6;
}

/** Returns within how many milliseconds after the end of a downtime another one must begin to be a relapse. */
function relapseMs(intervalSeconds: number): number {
  return flapWindowMs(intervalSeconds) / 40;
}

/** The shortest interval of checks while a monitor flaps, which is also the interval of its rechecks. */
const SHORTEST_WHILE_FLAPPING_MS = 5_000;
/** While it flaps, a monitor is checked so many times in an interval. */
const CHECKS_WHILE_FLAPPING = 12;
const CONFIRMED_WHILE_FLAPPING = 2;

/**
 * Returns the policy for the next check of a monitor, or of one of its regions. While the monitor flaps, it is checked more often, because times up
 * and down that are shorter than the interval would be missed, and two checks confirm a change, because nothing is sent for it.
 */
export function policyWhileFlapping(policy: Policy, { steadySince }: Pick<WatchState, 'steadySince'>): Policy {
  if (!steadySince || !policy.countsRelapses) return policy;
  return {
    ...policy,
    failures: Math.min(policy.failures, CONFIRMED_WHILE_FLAPPING),
    recoveries: Math.min(policy.recoveries, CONFIRMED_WHILE_FLAPPING),
    retryDelayMs: Math.min(policy.retryDelayMs, SHORTEST_WHILE_FLAPPING_MS),
    isAdaptive: false,
    everyMs: Math.max((policy.intervalSeconds * 1000) / CHECKS_WHILE_FLAPPING, SHORTEST_WHILE_FLAPPING_MS),
  };
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes >= 120 ? `${Math.round(minutes / 60)} h` : `${minutes} min`;
}

/** The decision about a check before flapping is taken into account. */
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
  flapChanges: number;
  countsRelapses: boolean;
  status: MonitorStatus;
  /** For how long before the check the status was unknown, in milliseconds. */
  unknownMs: number;
  /** Whether no check that contradicts the status is counted. */
  isSettled: boolean;
  /** Whether a region counts checks that contradict the status, and whether the check of a region failed. */
  isDisputed: boolean;
  isFailing: boolean;
  /** If a failing check ends a recovery that was being counted: since when checks had passed. */
  upSince: Date | null;
}

interface Held extends Changes, Pick<Step, 'openIncident' | 'incidents'> {
  /** When the flapping of a monitor that is up ends if nothing else happens; null otherwise. */
  endsAt: Date | null;
}

/**
 * Disputes between regions delay the end of flapping for at most this many times the longest wait. Without a limit, regions of which each sees an
 * error in every second or third check would delay it forever.
 */
const LONGEST_DISPUTE = 2;
/** Flapping ends once all checks have passed for this many times the longest time in which they did during the flapping. */
const LONGEST_UPS = 2;
/** This many times where it was not longer than the time up before a relapse: checks are close enough to measure such a time well. */
const SOME_UPS = 1.3;
/** Where no such time was longer than this share of the shortest wait, that wait is enough. */
const SHORT_UPS = 5 / 6;

/**
 * Splits the stored `changes` of a flapping monitor. The first two are the end and the start, in this order, of the longest time in which its checks
 * passed; earlier versions did not store them. The others are the changes since people were notified that it is down: none while it is still down,
 * one while it is up, two when it is down again.
 */
function unpack(changes: Date[]): { longestUp: Date[]; since: Date[] } {
  const [end, start] = changes;
  const at = end && start && end > start ? 2 : 0;
  return { longestUp: changes.slice(0, at), since: changes.slice(at) };
}

function longerOf(one: Date[], other: Date[]): Date[] {
  return lengthMs(other) > lengthMs(one) ? other : one;
}

const lengthMs = ([end, start]: Date[]) => (end && start ? end.getTime() - start.getTime() : 0);

/**
 * Returns the end and the start of the shortest time up. The last of the changes must be to down. Returns an empty list if the monitor was never up.
 * The longest time up would not do, because it may contain failing checks.
 */
function shortestUpIn(changes: Date[]): Date[] {
  const last = changes.length - 1;
  // Votes of regions may date two changes to the same moment.
  const ups = changes
    .flatMap((end, index) => (index > 0 && (last - index) % 2 === 0 ? [[end, changes[index - 1] ?? end]] : []))
    .filter((up) => lengthMs(up) > 0);
  return ups.reduce((shortest, up) => (lengthMs(up) < lengthMs(shortest) ? up : shortest), ups[0] ?? []);
}

/** Returns the shortest time for which a flapping monitor must be up without a change until the flapping ends, in milliseconds. */
const shortestSteadyMs = (intervalSeconds: number) => flapWindowMs(intervalSeconds) / 60;

/** Returns for how long a flapping monitor must be up without a change until the flapping ends, in milliseconds. */
function steadyUpMs(longestUp: Date[], intervalSeconds: number): number {
  const longest = steadyMs(intervalSeconds);
  const shortest = shortestSteadyMs(intervalSeconds);
  if (longestUp.length === 0) return longest;
  const upMs = lengthMs(longestUp);
  if (upMs <= SHORT_UPS * shortest) return shortest;
  const factor = upMs <= relapseMs(intervalSeconds) ? SOME_UPS : LONGEST_UPS;
  return Math.min(factor * upMs, longest);
}

/** Returns whether the monitor is up and failing checks are counted towards a downtime. */
const countsFailing = ({ status, isSettled, isDisputed }: Moment, { changedAt }: Step) =>
  changedAt === null && (status === 'up' || status === 'degraded') && (!isSettled || isDisputed);

/**
 * Decides whether flapping starts with the last of these changes, which is to down: after too many changes, or after a relapse.
 * @returns the reason in words, and the time up that determines how long the monitor must be up until flapping ends; null if it does not start
 */
function startOf(changes: Date[], { at, intervalSeconds, flapChanges, countsRelapses }: Moment) {
  const [first] = changes;
  if (first && changes.length >= flapChanges) {
    const reason = `${changes.length} changes in ${inWords(at.getTime() - first.getTime())}`;
    return { reason, longestUp: shortestUpIn(changes) };
  }
  const [start, end] = changes.slice(-2);
  const upMs = start && end ? lengthMs([end, start]) : 0;
  if (!countsRelapses || !end || upMs <= 0 || upMs > relapseMs(intervalSeconds)) return null;
  return { reason: `down again after ${inWords(upMs)}`, longestUp: [end, start ?? end] };
}

/** Flapping starts with a failing check if checks passed for at least this time before it (three checks), and at most as long as before a relapse. */
const SHORTEST_RECOVERY_MS = 25_000;

/**
 * Applies a check to a monitor that does not flap. If flapping starts, the cause of the downtime that opens says so, or a note in the timeline if
 * the downtime is open already.
 */
function begin(state: Changes, { changedAt, openIncident, incidents }: Step, moment: Moment): Held {
  const usual = { changes: state.changes, steadySince: null, openIncident, incidents, endsAt: null };
  if (!changedAt) return beginWhileDown(usual, moment);
  const { at, intervalSeconds, flapChanges } = moment;
  const after = at.getTime() - flapWindowMs(intervalSeconds);
  const inWindow = [...state.changes, changedAt].filter((change) => change.getTime() > after);
  // One more than `flapChanges`, because a window may begin during a downtime.
  const changes = inWindow.slice(-flapChanges - 1);
  const isOpening = incidents.some((incident) => incident.kind === 'open' && incident.type === 'downtime');
  const start = isOpening ? startOf(changes, moment) : null;
  if (!start) return { ...usual, changes };
  const prefixed = incidents.map((incident) =>
    incident.kind === 'open' ? { ...incident, cause: `Flapping: ${start.reason}. ${incident.cause}` } : incident,
  );
  return { ...usual, changes: start.longestUp, steadySince: changedAt, incidents: prefixed };
}

/**
 * Starts flapping if this check ends a recovery that was long enough. Without it, a service that is never up for long would be down all the time. Not
 * where the window is longer than an hour: there, the wait for the end of flapping takes many times as long as a recovery.
 */
function beginWhileDown(usual: Held, { at, status, upSince, countsRelapses, intervalSeconds }: Moment): Held {
  const isOpen = status === 'down' && usual.openIncident === 'downtime';
  const upMs = upSince ? lengthMs([at, upSince]) : 0;
  const isEndedRecovery = upMs >= SHORTEST_RECOVERY_MS && upMs <= relapseMs(intervalSeconds);
  const isShort = flapWindowMs(intervalSeconds) === SHORTEST_WINDOW_MS;
  if (!countsRelapses || !isOpen || !upSince || !isEndedRecovery || !isShort) return usual;
  const message = `Flapping: checks passed for ${Math.round(upMs / 1000)} s, then failed again.`;
  const incidents: IncidentChange[] = [...usual.incidents, { kind: 'note', at, message, dedupeKey: 'flapping' }];
  return { ...usual, changes: [at, upSince], steadySince: at, incidents };
}

/** A flapping monitor, whose changes are notified only once it has stopped. */
type Flapping = Changes & { steadySince: Date };

/** Returns the state after a change to or from down, which starts the steady time again. */
function afterChange({ steadySince, changes }: Flapping, changedAt: Date, isDown: boolean): Flapping {
  const { longestUp } = unpack(changes);
  if (!isDown) return { steadySince: changedAt, changes: [...longestUp, changedAt] };
  return {
    steadySince: changedAt,
    changes: [...longerOf(longestUp, [changedAt, steadySince]), steadySince, changedAt],
  };
}

/** Returns whether a flapping monitor whose status is unknown was up before. */
export const wasUpWhileFlapping = (changes: Date[]) => unpack(changes).since.length === 1;

/** Moves the start of the steady time by the time in which the status was unknown, so that only the steady time before that still counts. */
function afterUnknown({ steadySince, changes }: Flapping, unknownMs: number, at: Date): Flapping {
  const move = (since: Date) => new Date(Math.min(since.getTime() + unknownMs, at.getTime()));
  const last = changes.at(-1);
  const isMoved = last && unknownMs > 0 && wasUpWhileFlapping(changes);
  return { steadySince: move(steadySince), changes: isMoved ? changes.with(-1, move(last)) : changes };
}

/** Returns the state after a check without a change. A failing check while the monitor is up starts the steady time again. */
function afterCheck({ steadySince, changes }: Flapping, isFailing: boolean, at: Date): Flapping {
  if (!isFailing) return { steadySince, changes };
  const { longestUp, since } = unpack(changes);
  return { steadySince: at, changes: [...longerOf(longestUp, [at, steadySince]), ...since] };
}

/** Applies a check to a flapping monitor: keeps its downtime open, or ends the flapping if the monitor has been steady for long enough. */
function hold(state: Flapping, step: Step, moment: Moment): Held {
  const { changedAt } = step;
  const { at, error, intervalSeconds, status, unknownMs, isSettled, isDisputed, isFailing } = moment;
  const isDown = status === 'down';
  const { changes, steadySince } = changedAt
    ? afterChange(state, changedAt, isDown)
    : afterCheck(afterUnknown(state, unknownMs, at), countsFailing(moment, step), at);
  const { longestUp, since } = unpack(changes);
  const steadyForMs = at.getTime() - steadySince.getTime();
  const wantedMs = isDown ? downForGoodMs(intervalSeconds) : steadyUpMs(longestUp, intervalSeconds);
  const [upSince = steadySince] = isDown ? [] : since;
  const upForMs = at.getTime() - upSince.getTime();
  const isLongDisputed = isDown
    ? steadyForMs >= LONGEST_DISPUTE * wantedMs
    : upForMs >= LONGEST_DISPUTE * steadyMs(intervalSeconds);
  const isAgreed = !isDisputed || isLongDisputed;
  const isSteady = status !== 'unknown' && isSettled && isAgreed && (isDown || !isFailing);
  const endMs = steadySince.getTime() + wantedMs;
  // Checks that fail now and then prolong the wait, but only to the longest one.
  const endsMs = isDown ? endMs : Math.min(endMs, upSince.getTime() + steadyMs(intervalSeconds));
  if (!isSteady || at.getTime() < endsMs) {
    const endsAt = isSteady && !isDown ? new Date(endsMs) : null;
    return { changes, steadySince, openIncident: 'downtime', incidents: [], endsAt };
  }
  const over = { changes: [], steadySince: null, endsAt: null };
  const message = `Flapping stopped: ${isDown ? 'down' : 'up'} for ${inWords(upForMs)}.`;
  if (!isDown) return { ...over, openIncident: null, incidents: [{ kind: 'resolve', resolvedAt: at, message }] };
  if (since.length === 0) {
    return {
      ...over,
      openIncident: 'downtime',
      incidents: [{ kind: 'note', at, message, dedupeKey: 'flapping-stopped' }],
    };
  }
  const cause = `Down for ${inWords(steadyForMs)} after flapping. ${error ?? 'The check failed'}`;
  const incidents: IncidentChange[] = [
    { kind: 'supersede', resolvedAt: steadySince, message },
    { kind: 'open', type: 'downtime', startedAt: steadySince, cause },
  ];
  return { ...over, openIncident: 'downtime', incidents };
}

/**
 * Counts a monitor's changes between down and not down. If there are too many in the window, or the monitor is down again soon after it was up, the
 * downtime that is about to open is marked as flapping and stays open regardless of the status.
 * - It resolves once all checks have passed for twice the longest time in which they did during the flapping, or once the monitor has been up for a
 *   quarter of the window. At first, the longest time is the shortest time up before the flapping. Where the longest is a short one, less is enough.
 * - If the monitor was up meanwhile and then stays down for a sixth of the window, another downtime replaces it, so that people are notified.
 *
 * Time without checks does not count as steady, but does not start the steady time again.
 */
export function countChanges(state: Changes, step: Step, moment: Moment): Held {
  const { steadySince, changes } = state;
  return steadySince ? hold({ steadySince, changes }, step, moment) : begin(state, step, moment);
}
