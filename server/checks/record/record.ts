import { withCheckDays } from '@/server/history/with-check-days';
import type { IncidentVerdict } from '@/server/incidents/evidence/write-verdicts';
import { noteIncidents } from '@/server/incidents/note-incidents';
import { type IncidentRef, openIncidents } from '@/server/incidents/open-incident';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { replanOverdue } from '@/server/maintenance/replan';
import { db, type Tx } from '@/server/platform/db';
import { notify, notifySchedule } from '@/server/platform/listen';
import { type IfHeld, lockMonitorStates } from '@/server/platform/locks';
import { completeEvidence, type LateCheck, writeEvidence } from '../evidence/write-evidence';
import { claimKey } from '../schedule/claim';
import type { LockedRow } from '../schedule/state-row';
import type { IncidentChange } from '../verdict/types';
import { decideLocked, decideOwn, nowOf } from './decide';
import { limitFanOut } from './limit-fan-out';
import { type HeldIncident, noteMaintenance } from './note-maintenance';
import { type Decided, type Result, writeResults } from './write-results';
import { writeSpans } from './write-spans';

/** Monitors with states that are not among these, which `tx` has locked: another transaction holds them. */
async function readHeld(tx: Tx, ids: string[], locked: LockedRow[]): Promise<string[]> {
  const keys = new Set(locked.map((row) => claimKey(row.monitor_id, row.region)));
  const states = await tx.monitorState.findMany({
    where: { monitorId: { in: ids } },
    select: { monitorId: true, region: true },
  });
  return states.flatMap(({ monitorId, region }) => (keys.has(claimKey(monitorId, region)) ? [] : [monitorId]));
}

/** Locks the states of the monitors of results, with the edges of their maintenance complete until now. */
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

/** Decides on the states as they are, locked until `tx` ends. Results that do not count any more are left out. */
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

/** Ids by team, as live events need them. */
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

async function writeCertificateEvents(tx: Tx, decided: Decided[]): Promise<IncidentVerdict[]> {
  const subject = 'certificate' as const;
  const told = decided.flatMap(({ result: { plan, finding }, certificate: change }) => {
    return change ? [{ monitor: plan.monitor, at: finding.at, change }] : [];
  });
  const warned = told.flatMap(({ monitor, at: startedAt, change }) => {
    if (change.kind !== 'warn') return [];
    const { id: monitorId, teamId, name: monitorName, severity } = monitor;
    return [{ monitorId, teamId, type: subject, severity, monitorName, cause: change.cause, startedAt }];
  });
  const message = 'The certificate was replaced.';
  const cleared = told.flatMap(({ monitor, at: resolvedAt, change }) =>
    change.kind === 'clear'
      ? [{ monitorId: monitor.id, subject, resolvedAt, resolution: 'recovered' as const, message }]
      : [],
  );
  const opened = await openIncidents(tx, warned);
  const resolved = await resolveIncidents(tx, cleared);
  return [...opened.map(toVerdict('opened')), ...resolved.map(toVerdict('resolved'))];
}

/** What maintenance held of an incident, and when that is noted in its timeline. */
function heldOf(change: IncidentChange & { monitorId: string }): HeldIncident[] {
  const { monitorId, kind } = change;
  if (kind === 'hold') return [{ monitorId, what: 'end', at: change.at }];
  if (kind === 'note' || !change.toldAt) return [];
  return [{ monitorId, what: kind === 'open' ? 'opened' : 'resolved', at: change.toldAt }];
}

/** What was open ends first: another may open about the same monitor in the same step. */
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

/** What follows from a change of status, in the transaction that makes it: spans, incidents, messages, evidence, live pages. */
async function writeEvents(tx: Tx, decided: Decided[]): Promise<LateCheck[]> {
  const eventful = decided.filter(hasEvents);
  await writeSpans(
    tx,
    eventful.map(({ result, spans }) => ({ monitorNum: result.plan.monitor.num, spans })),
  );
  const told = await writeStatusIncidents(tx, eventful);
  const verdicts = [...told, ...(await writeCertificateEvents(tx, eventful))];
  const late = await writeEvidence(tx, decided, verdicts);
  for (const [team, ids] of byTeam(eventful.map(({ result }) => result.plan.monitor))) {
    await notify(tx, { team, kind: 'monitor', ids });
  }
  return late;
}

/**
 * When the row that each recorded result moved is due next, null for never. One that is missing does not count; one that is 'held' is to be
 * recorded again, because another transaction holds the monitor's states, and so is one that is 'left', because the transaction had too many deliveries.
 */
export type Recorded = Map<string, Date | null | 'held' | 'left'>;

const idOf = ({ result }: Decided) => result.plan.monitor.id;

const toRecorded = (decided: Decided[]): Recorded => new Map(decided.map((each) => [idOf(each), each.rows[0].dueAt]));
const toLeft = (decided: Decided[]): Recorded => new Map(decided.map((each) => [idOf(each), 'left']));

/**
 * Makes results count: keeps the checks, moves the states, and with a change of status writes its spans, its incident
 * and its messages in the same transaction. A result whose claim was lost, or of a monitor that was edited, paused or
 * deleted since, leaves no trace. A result of a region changes the region's state and then, by the votes of all regions, the
 * monitor's. Two regions that record at once are serialised by the lock. Of more incidents than one transaction can write, the first are written.
 *
 * @param worker whose claims the results stand on; null for checks made out of turn, which stand on none
 * @param results at most one per monitor
 * @param ifHeld 'skip': records the others at once where another transaction holds the states of a monitor
 */
export function recordResults(worker: string | null, results: Result[], ifHeld: IfHeld = 'wait'): Promise<Recorded> {
  const moments = results.map(({ finding }) => finding.at);
  return withCheckDays(moments, () => record(worker, results, ifHeld));
}

async function record(worker: string | null, results: Result[], ifHeld: IfHeld): Promise<Recorded> {
  const decided = results.flatMap((result) => {
    const basis = result.claim ?? result.basis;
    const until = basis?.state.plannedUntil;
    const isPlanned = !until || until > nowOf(result);
    // The votes of other regions are read under lock, and what was not planned yet.
    return basis && isPlanned && result.plan.regions.length === 0
      ? [decideOwn(result, basis.state, basis.revision)]
      : [];
  });
  const plain = decided.length === results.length && !decided.some((each) => each.isTelling || hasEvents(each));
  const recorded: Recorded = plain ? toRecorded(await writeResults(db, worker, decided, ifHeld)) : new Map();
  if (plain && recorded.size === results.length) return recorded;
  let late: LateCheck[] = [];
  const all = await db.$transaction(async (tx) => {
    const own = await limitFanOut(tx, plain ? [] : decided);
    const eventful = await writeResults(tx, worker, own.now, ifHeld);
    const done: Recorded = new Map([...recorded, ...toRecorded(eventful), ...toLeft(own.later)]);
    const moved = results.filter(({ plan }) => !done.has(plan.monitor.id));
    const { decided: anew, held } = await decideOnLocked(tx, worker, moved, ifHeld);
    const locked = await limitFanOut(tx, anew);
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
  // Not awaited: completing the evidence may take long, and must not delay the results of other checks.
  void completeEvidence(late);
  return all;
}
