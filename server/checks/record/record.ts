import { withCheckDays } from '@/server/history/make-check-days';
import {
  type CountedCheck,
  completeEvidence,
  type LateCheck,
  writeEvidence,
} from '@/server/incidents/evidence/write-evidence';
import type { IncidentVerdict } from '@/server/incidents/evidence/write-verdicts';
import { noteIncidents } from '@/server/incidents/note-incidents';
import { type IncidentRef, openIncidents } from '@/server/incidents/open-incident';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { replanOverdue } from '@/server/maintenance/replan';
import { db, type Tx } from '@/server/platform/db';
import { notify, notifySchedule } from '@/server/platform/listen';
import { type IfHeld, lockMonitorStates } from '@/server/platform/locks';
import { claimKey } from '../schedule/claim';
import type { LockedRow } from '../schedule/state-row';
import { deadlineOf } from '../verdict/heartbeat';
import type { IncidentChange } from '../verdict/types';
import { decideLocked, decideOwn, nowOf, regionOf } from './decide';
import { limitDeliveries } from './limit-deliveries';
import { type HeldIncident, noteMaintenance } from './note-maintenance';
import { type Decided, type Result, writeResults } from './write-results';
import { writeSpans } from './write-spans';
import { writeSteps } from './write-steps';

/** Returns the monitors with a state that is not among the locked rows, because another transaction has locked it. */
async function readHeld(tx: Tx, ids: string[], locked: LockedRow[]): Promise<string[]> {
  const keys = new Set(locked.map((row) => claimKey(row.monitor_id, row.region)));
  const states = await tx.monitorState.findMany({
    where: { monitorId: { in: ids } },
    select: { monitorId: true, region: true },
  });
  return states.flatMap(({ monitorId, region }) => (keys.has(claimKey(monitorId, region)) ? [] : [monitorId]));
}

/** Locks and returns the states of the results' monitors. Before, plans maintenance for those whose plan ends before now. */
async function lockPlanned(tx: Tx, results: Result[], ifHeld: IfHeld): Promise<LockedRow[]> {
  const ids = results.map(({ plan }) => plan.monitor.id);
  const lock = () => lockMonitorStates<LockedRow>(tx, ids, ifHeld);
  const locked = await lock();
  const teams = new Map(results.map(({ plan: { monitor } }) => [monitor.id, monitor.teamId]));
  const states = locked.flatMap(({ region, monitor_id: monitorId, planned_until: plannedUntil }) => {
    const teamId = teams.get(monitorId);
    return region === '' && teamId !== undefined ? [{ teamId, monitorId, plannedUntil }] : [];
  });
  const now = new Date(Math.max(...results.map((result) => nowOf(result).getTime())));
  return (await replanOverdue(tx, states, now)) ? lock() : locked;
}

/**
 * Locks the states of the results' monitors and decides the results. Leaves out results that no longer count.
 * @returns `held`: with 'skip', the monitors whose results are not decided because another transaction has locked a state
 */
async function decideOnLocked(tx: Tx, worker: string | null, results: Result[], ifHeld: IfHeld) {
  if (results.length === 0) return { decided: [], held: [] };
  const ids = results.map(({ plan }) => plan.monitor.id);
  const rows = new Map<string, LockedRow[]>(ids.map((id) => [id, []]));
  const locked = await lockPlanned(tx, results, ifHeld);
  for (const row of locked) rows.get(row.monitor_id)?.push(row);
  const held = ifHeld === 'skip' ? await readHeld(tx, ids, locked) : [];
  for (const id of held) rows.delete(id);
  const decided = results.flatMap((result) => {
    return decideLocked(worker, result, rows.get(result.plan.monitor.id) ?? []) ?? [];
  });
  return { decided, held };
}

const hasEvents = ({ spans, incidents, certificate }: Decided) =>
  spans.length > 0 || incidents.length > 0 || certificate !== null;

const idOf = ({ result }: Decided) => result.plan.monitor.id;

/** Groups monitor IDs by team. */
function byTeam(monitors: { id: string; teamId: string }[]): Map<string, string[]> {
  const teams = new Map<string, string[]>();
  for (const { id, teamId } of monitors) {
    const ids = teams.get(teamId);
    if (ids) ids.push(id);
    else teams.set(teamId, [id]);
  }
  return teams;
}

const toVerdict =
  (kind: IncidentVerdict['kind']) =>
  ({ id: incidentId, monitorId, type }: IncidentRef): IncidentVerdict => ({ incidentId, monitorId, type, kind });

/** Opens an incident for each new certificate warning, and resolves those whose certificate was replaced. */
async function writeCertificateEvents(tx: Tx, decided: Decided[]): Promise<IncidentVerdict[]> {
  const subject = 'certificate' as const;
  const changed = decided.flatMap(({ result: { plan, finding }, certificate: change }) => {
    return change ? [{ monitor: plan.monitor, at: finding.at, change }] : [];
  });
  const warned = changed.flatMap(({ monitor, at: startedAt, change }) => {
    if (change.kind !== 'warn') return [];
    const { id: monitorId, teamId, name: monitorName, severity } = monitor;
    return [{ monitorId, teamId, type: subject, severity, monitorName, cause: change.cause, startedAt }];
  });
  const message = 'The certificate was replaced.';
  const cleared = changed.flatMap(({ monitor, at: resolvedAt, change }) =>
    change.kind === 'clear'
      ? [{ monitorId: monitor.id, subject, resolvedAt, resolution: 'recovered' as const, message }]
      : [],
  );
  const opened = await openIncidents(tx, warned);
  const resolved = await resolveIncidents(tx, cleared);
  return [...opened.map(toVerdict('opened')), ...resolved.map(toVerdict('resolved'))];
}

/** Returns the data for a timeline entry if maintenance holds or held this incident change; empty otherwise. */
function heldOf(change: IncidentChange & { monitorId: string }): HeldIncident[] {
  const { monitorId, kind } = change;
  if (kind === 'hold') return [{ monitorId, what: 'end', at: change.at }];
  if (kind === 'note' || !change.effectiveAt) return [];
  return [{ monitorId, what: kind === 'open' ? 'opened' : 'resolved', at: change.effectiveAt }];
}

/**
 * Resolves and opens status incidents, and adds notes to their timelines. Resolves before it opens, because one decision may replace a monitor's open
 * incident with another.
 */
async function writeStatusIncidents(tx: Tx, decided: Decided[]): Promise<IncidentVerdict[]> {
  const changes = decided.flatMap(({ result: { plan }, incidents }) => {
    const { id: monitorId, teamId, name: monitorName, severity } = plan.monitor;
    return incidents.map((incident) => ({ monitorId, teamId, monitorName, severity, ...incident }));
  });
  const subject = 'status' as const;
  await noteMaintenance(
    tx,
    changes.flatMap((change) => (change.kind === 'open' ? [] : heldOf(change))),
  );
  const resolved = await resolveIncidents(
    tx,
    changes.flatMap((change) => {
      if (change.kind !== 'resolve' && change.kind !== 'supersede') return [];
      const resolution = change.kind === 'resolve' ? ('recovered' as const) : ('superseded' as const);
      return [{ ...change, subject, resolution }];
    }),
  );
  const opened = await openIncidents(
    tx,
    changes.filter((change) => change.kind === 'open'),
  );
  await noteMaintenance(
    tx,
    changes.flatMap((change) => (change.kind === 'open' ? heldOf(change) : [])),
  );
  await noteIncidents(
    tx,
    changes.filter((change) => change.kind === 'note'),
  );
  return [...resolved.map(toVerdict('resolved')), ...opened.map(toVerdict('opened'))];
}

/**
 * Returns by when a heartbeat expected a ping when its state was read (null if it did not), and `last`: the start of the unfinished run, or else the
 * time of the last ping.
 */
function expectedPing({ plan, claim, basis }: Result) {
  const before = (claim ?? basis)?.state ?? null;
  const deadline = before && plan.pingSchedule && deadlineOf(before, plan.pingSchedule);
  return { deadline, last: before?.runStartedAt ?? before?.expectedSince ?? null };
}

function toCounted({ result, check, keepsEvidence }: Decided): CountedCheck {
  const { finding, plan, region } = result;
  const seen = 'event' in finding ? expectedPing(result) : finding;
  return { plan, region, row: regionOf(result), check, seen, keepsEvidence };
}

/**
 * Writes the consequences of status changes in their transaction: spans, incidents with their deliveries, evidence, live events.
 * @returns the checks whose evidence must be completed after the transaction
 */
async function writeEvents(tx: Tx, decided: Decided[]): Promise<LateCheck[]> {
  const eventful = decided.filter(hasEvents);
  await writeSpans(
    tx,
    eventful.map(({ result, spans }) => ({ monitorNum: result.plan.monitor.num, spans })),
  );
  const statusVerdicts = await writeStatusIncidents(tx, eventful);
  const verdicts = [...statusVerdicts, ...(await writeCertificateEvents(tx, eventful))];
  const judged = new Set(verdicts.map(({ monitorId }) => monitorId));
  const counted = decided.filter((each) => each.keepsEvidence || judged.has(idOf(each)));
  const late = await writeEvidence(tx, counted.map(toCounted), verdicts);
  for (const [team, ids] of byTeam(eventful.map(({ result }) => result.plan.monitor))) {
    await notify(tx, { team, kind: 'monitor', ids });
  }
  return late;
}

/**
 * The outcome of each result by monitor ID: when its updated row is due next; null for never. A result that was dropped is missing. 'held' and 'left'
 * must be recorded again: another transaction has locked the monitor's states, or this transaction reached its limit of deliveries.
 */
export type Recorded = Map<string, Date | null | 'held' | 'left'>;

const toRecorded = (decided: Decided[]): Recorded => new Map(decided.map((each) => [idOf(each), each.rows[0].dueAt]));
const toLeft = (decided: Decided[]): Recorded => new Map(decided.map((each) => [idOf(each), 'left']));

/**
 * Records results: stores the checks, updates the states, and on a status change writes its spans, incidents and messages in the same transaction.
 * Drops a result whose claim was lost, or whose monitor was edited, paused or deleted since. A result of a region updates the region's state and
 * then, by the votes of all regions, the monitor's; concurrent results of two regions are serialized by the lock. Results whose incidents exceed the
 * limit of one transaction are returned as 'left'.
 * @param worker the holder of the results' claims; null for results without claims
 * @param results at most one per monitor
 * @param ifHeld 'skip': does not wait for states that another transaction has locked
 */
export async function recordResults(
  worker: string | null,
  results: Result[],
  ifHeld: IfHeld = 'wait',
): Promise<Recorded> {
  const moments = results.map(({ finding }) => finding.at);
  const recorded = await withCheckDays(moments, () => record(worker, results, ifHeld));
  await writeSteps(results.filter(({ plan }) => typeof (recorded.get(plan.monitor.id) ?? 'lost') !== 'string'));
  return recorded;
}

async function record(worker: string | null, results: Result[], ifHeld: IfHeld): Promise<Recorded> {
  const decided = results.flatMap((result) => {
    const basis = result.claim ?? result.basis;
    const until = basis?.state.plannedUntil;
    const isPlanned = !until || until > nowOf(result);
    // Regions and unplanned maintenance require locks.
    return basis && isPlanned && result.plan.regions.length === 0
      ? [decideOwn(result, basis.state, basis.revision)]
      : [];
  });
  const plain = decided.length === results.length && !decided.some((each) => each.keepsEvidence || hasEvents(each));
  const recorded: Recorded = plain ? toRecorded(await writeResults(db, worker, decided, ifHeld)) : new Map();
  if (plain && recorded.size === results.length) return recorded;
  let late: LateCheck[] = [];
  const all = await db.$transaction(async (tx) => {
    const own = await limitDeliveries(tx, plain ? [] : decided);
    const eventful = await writeResults(tx, worker, own.now, ifHeld);
    const done: Recorded = new Map([...recorded, ...toRecorded(eventful), ...toLeft(own.later)]);
    const moved = results.filter(({ plan }) => !done.has(plan.monitor.id));
    const { decided: anew, held } = await decideOnLocked(tx, worker, moved, ifHeld);
    const locked = await limitDeliveries(tx, anew);
    const again = await writeResults(tx, worker, locked.now, ifHeld);
    late = await writeEvents(tx, [...eventful, ...again]);
    if (again.some(({ isAsking }) => isAsking)) await notifySchedule(tx);
    return new Map([
      ...done,
      ...toRecorded(again),
      ...toLeft(locked.later),
      ...held.map((id) => [id, 'held'] as const),
    ]);
  });
  // Not awaited, because completing the evidence may take long and must not delay the results of other checks.
  void completeEvidence(late);
  return all;
}
