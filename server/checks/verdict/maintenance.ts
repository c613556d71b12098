import { AFTER_END_MS, type Edges, isInside, nextEdge, periodAt, RESUME_WITHIN_SECONDS } from '@/server/time/edges';
import { nextDue } from '@/server/time/phase';
import type { CertificateChange, CertificateState } from './certificate';
import { isSettled } from './transition';
import type { Policy, StatusIncident, Transition, WatchState } from './types';

type IncidentChange = Transition['incidents'][number];
type Opened = Extract<IncidentChange, { kind: 'open' }>;
type Ended = Extract<IncidentChange, { kind: 'resolve' | 'supersede' }>;

/** The incident changes of a monitor in maintenance, held until its end. Stored as JSON under these names, which older workers read. */
export interface Held {
  /** The incident that was open, and whose channels were notified, when maintenance began. */
  told: StatusIncident | null;
  /** Its held resolution, and the held opening of another incident, if they still apply. */
  resolve: Ended | null;
  open: Opened | null;
}

/** The columns that determine whether a monitor is in maintenance. */
export interface MaintenanceState {
  maintenance: Edges;
  checkPauses: Edges;
  held: Held | null;
}

/** A decision for any type of monitor; `dueAt` is null if nothing is expected. */
interface Change {
  state: WatchState;
  dueAt: Date | null;
  incidents: IncidentChange[];
}

interface Moment {
  /** When the check began, and when its result is taken. */
  at: Date;
  now: Date;
}

/** Returns whether a check falls into maintenance: it began, or its result is taken, in a window. */
function isHeld({ maintenance }: Pick<MaintenanceState, 'maintenance'>, { at, now }: Moment): boolean {
  return isInside(maintenance, at) || isInside(maintenance, now);
}

/** Adds an incident change to the held ones. If another downtime follows a held recovery, drops the recovery: the original incident stays open. */
function holdBack(held: Held, change: IncidentChange): Held {
  switch (change.kind) {
    case 'open': {
      const goesOn = held.resolve !== null && held.told === change.type;
      return goesOn ? { ...held, resolve: null, open: null } : { ...held, open: change };
    }
    case 'resolve':
    case 'supersede': {
      if (!held.open) return { ...held, resolve: held.told && change };
      // The incident that was to replace the open one has ended too, so the open one resolves without a replacement.
      return { ...held, open: null, resolve: held.resolve?.kind === 'supersede' ? change : held.resolve };
    }
    case 'note':
    case 'hold':
      return held;
    default:
      return change satisfies never;
  }
}

const isNote = ({ kind }: IncidentChange) => kind === 'note';

/** Returns whether the status is known and no check contradicts it. */
const isCertain = (state: WatchState) =>
  (state.status === 'up' || state.status === 'degraded' || state.status === 'down') && isSettled(state);

/** Moves `dueAt` after the end of a check pause, if it falls into one. */
function outsidePauses(
  { checkPauses }: Pick<MaintenanceState, 'checkPauses'>,
  dueAt: Date | null,
  { monitorNum, intervalSeconds }: Pick<Policy, 'monitorNum' | 'intervalSeconds'>,
): Date | null {
  const end = dueAt && periodAt(checkPauses, dueAt)?.endsAt;
  return end ? nextDue({ monitorNum, intervalSeconds: Math.min(intervalSeconds, RESUME_WITHIN_SECONDS) }, end) : dueAt;
}

/** If a change is held, makes the monitor due at the end of the window at the latest. */
function dueAtEnd(held: Held, { maintenance }: MaintenanceState, dueAt: Date | null, now: Date): Date | null {
  const end = nextEdge(maintenance, now);
  if (!end || !(held.open || held.resolve)) return dueAt;
  const endsAt = new Date(end.getTime() + AFTER_END_MS);
  return dueAt && dueAt < endsAt ? dueAt : endsAt;
}

/**
 * Decides like outside of maintenance, but holds the opening and resolving of incidents in a window; status and spans still change. After the end,
 * as soon as the status is certain, the held changes that still apply take effect with their original times. Flapping does not start inside a
 * window, and changes there do not count towards it.
 */
export function holdInMaintenance<C extends Change>(
  before: WatchState & MaintenanceState,
  decide: (state: WatchState) => C,
  moment: Moment,
  policy: Pick<Policy, 'monitorNum' | 'intervalSeconds'>,
): { change: C; held: Held | null } {
  const inside = isHeld(before, moment);
  const dueOutside = (change: C) => ({ ...change, dueAt: outsidePauses(before, change.dueAt, policy) });
  if (!inside && !before.held) return { change: dueOutside(decide(before)), held: null };
  const isCounting = !inside || before.steadySince !== null;
  const change = dueOutside(decide(isCounting ? before : { ...before, changes: [] }));
  const state = isCounting ? change.state : { ...change.state, changes: before.changes, steadySince: null };
  const held = change.incidents.reduce(
    holdBack,
    before.held ?? { told: before.openIncident, resolve: null, open: null },
  );
  const notes = isCounting ? change.incidents.filter(isNote) : [];
  if (inside) {
    const dueAt = dueAtEnd(held, before, change.dueAt, moment.now);
    const isFirst = before.held === null && before.openIncident !== null;
    const holds: IncidentChange[] = isFirst ? [{ kind: 'hold', at: moment.now }] : [];
    return { change: { ...change, state, dueAt, incidents: [...holds, ...notes] }, held };
  }
  if (!isCertain(state)) return { change: { ...change, incidents: notes }, held };
  const released = [held.resolve, held.open].flatMap((each) => (each ? [{ ...each, effectiveAt: moment.now }] : []));
  return { change: { ...change, incidents: [...released, ...notes] }, held: null };
}

/** Holds a certificate change in a maintenance window: leaves `certificateWarned` as it was, so that the first check after the window reports it. */
export function holdCertificate(
  before: CertificateState & MaintenanceState,
  { state, change }: { state: CertificateState; change: CertificateChange | null },
  moment: Moment,
): { state: CertificateState; change: CertificateChange | null } {
  if (!change || !isHeld(before, moment)) return { state, change };
  return { state: { ...state, certificateWarned: before.certificateWarned }, change: null };
}

/** Parses the stored JSON of a held state. */
export function readHeld(stored: unknown): Held | null {
  if (!stored) return null;
  const { told, resolve, open } = stored as Held;
  return {
    told,
    resolve: resolve && { ...resolve, resolvedAt: new Date(resolve.resolvedAt) },
    open: open && { ...open, startedAt: new Date(open.startedAt) },
  };
}
