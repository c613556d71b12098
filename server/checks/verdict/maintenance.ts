import { AFTER_END_MS, type Edges, isInside, nextEdge, periodAt, RESUME_WITHIN_SECONDS } from '@/server/time/edges';
import { nextDue } from '@/server/time/phase';
import type { CertificateChange, CertificateState } from './certificate';
import { isSettled } from './transition';
import type { Policy, StatusIncident, Transition, WatchState } from './types';

type IncidentChange = Transition['incidents'][number];
type Opened = Extract<IncidentChange, { kind: 'open' }>;
type Ended = Extract<IncidentChange, { kind: 'resolve' | 'supersede' }>;

/** Incident changes of a monitor in maintenance, which are held back until its end. */
export interface Held {
  /** The incident that was open when maintenance began. */
  told: StatusIncident | null;
  /** Its end, and the incident that began meanwhile, as far as both still hold. */
  resolve: Ended | null;
  open: Opened | null;
}

/** What of a monitor's state says when it is in maintenance. */
export interface MaintenanceState {
  maintenance: Edges;
  checkPauses: Edges;
  held: Held | null;
}

/** A decision of any kind of monitor; `dueAt` is null while there is nothing to wait for. */
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

/** Whether a check falls in maintenance: it began, or its result is taken, in a window. */
function isHeld({ maintenance }: Pick<MaintenanceState, 'maintenance'>, { at, now }: Moment): boolean {
  return isInside(maintenance, at) || isInside(maintenance, now);
}

/** An end that is followed by another downtime is none: the incident that was open goes on. */
function holdBack(held: Held, change: IncidentChange): Held {
  switch (change.kind) {
    case 'open': {
      const goesOn = held.resolve !== null && held.told === change.type;
      return goesOn ? { ...held, resolve: null, open: null } : { ...held, open: change };
    }
    case 'resolve':
    case 'supersede': {
      if (!held.open) return { ...held, resolve: held.told && change };
      // What was to replace the incident that was open is over as well: that one ends in its own right.
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

/** Whether the status is known and no check contradicts it. */
const isCertain = (state: WatchState) =>
  (state.status === 'up' || state.status === 'degraded' || state.status === 'down') && isSettled(state);

/** The next check outside of the times without checks, `dueAt` where that is one already. */
function outsidePauses(
  { checkPauses }: Pick<MaintenanceState, 'checkPauses'>,
  dueAt: Date | null,
  { monitorNum, intervalSeconds }: Pick<Policy, 'monitorNum' | 'intervalSeconds'>,
): Date | null {
  const end = dueAt && periodAt(checkPauses, dueAt)?.endsAt;
  return end ? nextDue({ monitorNum, intervalSeconds: Math.min(intervalSeconds, RESUME_WITHIN_SECONDS) }, end) : dueAt;
}

/** If an incident change is held back, the monitor is due at the end of the window at the latest. */
function dueAtEnd(held: Held, { maintenance }: MaintenanceState, dueAt: Date | null, now: Date): Date | null {
  const end = nextEdge(maintenance, now);
  if (!end || !(held.open || held.resolve)) return dueAt;
  const look = new Date(end.getTime() + AFTER_END_MS);
  return dueAt && dueAt < look ? dueAt : look;
}

/**
 * Decides as outside of maintenance, and holds in a window what that opens and ends: the status and its spans go on beneath it. After the
 * end, as soon as the status is certain, what still holds takes effect with its own times. Changes inside a window do not count as flapping.
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
  const change = dueOutside(decide(inside && !before.steadySince ? { ...before, changes: [] } : before));
  const state = inside && !before.steadySince ? { ...change.state, changes: before.changes } : change.state;
  const held = change.incidents.reduce(
    holdBack,
    before.held ?? { told: before.openIncident, resolve: null, open: null },
  );
  const notes = change.incidents.filter(isNote);
  if (inside) {
    const dueAt = dueAtEnd(held, before, change.dueAt, moment.now);
    const isFirst = before.held === null && before.openIncident !== null;
    const holds: IncidentChange[] = isFirst ? [{ kind: 'hold', at: moment.now }] : [];
    return { change: { ...change, state, dueAt, incidents: [...holds, ...notes] }, held };
  }
  if (!isCertain(state)) return { change: { ...change, incidents: notes }, held };
  const told = [held.resolve, held.open].flatMap((each) => (each ? [{ ...each, toldAt: moment.now }] : []));
  return { change: { ...change, incidents: [...told, ...notes] }, held: null };
}

/** The same for a certificate: nothing is reported inside, and the first check after the end reports it. */
export function holdCertificate(
  before: CertificateState & MaintenanceState,
  { state, change }: { state: CertificateState; change: CertificateChange | null },
  moment: Moment,
): { state: CertificateState; change: CertificateChange | null } {
  if (!change || !isHeld(before, moment)) return { state, change };
  return { state: { ...state, certificateWarned: before.certificateWarned }, change: null };
}

/** A held state as it is stored in JSON. */
export function readHeld(stored: unknown): Held | null {
  if (!stored) return null;
  const { told, resolve, open } = stored as Held;
  return {
    told,
    resolve: resolve && { ...resolve, resolvedAt: new Date(resolve.resolvedAt) },
    open: open && { ...open, startedAt: new Date(open.startedAt) },
  };
}
