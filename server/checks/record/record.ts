import { withCheckDays } from '@/server/history/with-check-days';
import { noteIncidents } from '@/server/incidents/note-incidents';
import { openIncidents } from '@/server/incidents/open-incident';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { db, type Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockMonitorStates } from '@/server/platform/locks';
import type { Finding } from '../run/run';
import { type StateRow, type StoredState, toWatchState } from '../schedule/claim';
import { watchCertificate } from '../verdict/certificate';
import { heed } from '../verdict/heartbeat';
import { transition } from '../verdict/transition';
import { type CheckRow, LONGEST_MS, toCheckRow } from './check-row';
import { type Decided, type Result, writeResults } from './write-results';
import { writeSpans } from './write-spans';

const NO_CERTIFICATE = { certificate: null, certificateWarned: false };
export const NO_BEAT = { expectedSince: null, runStartedAt: null };

const noTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null, statusCode: null };

export function certify(
  { plan }: Pick<Result, 'plan'>,
  { at, observation }: Finding,
  state: StoredState,
): Decided['certificate'] {
  const { certificate, certificateWarned } = state;
  const before = { certificate, certificateWarned };
  const next = observation ? watchCertificate(before, observation, plan.warnDays, at) : { state: before, change: null };
  return { ...next, isNew: next.state.certificate !== certificate };
}

function decide(result: Result, state: StoredState, revision: number): Decided {
  const { finding, plan, takenAt, claim, region } = result;
  const now = claim && claim.dueAt > takenAt ? claim.dueAt : takenAt;
  if (!('beat' in finding)) {
    const change = transition(state, { ...finding.verdict, at: finding.at }, plan.policy, now);
    const certificate = certify(result, finding, state);
    return { result, revision, check: toCheckRow(finding, region), change, beat: NO_BEAT, certificate };
  }
  if (!plan.beats) throw new Error('Only heartbeat monitors accept pings.');
  const lateMs = claim ? takenAt.getTime() - claim.dueAt.getTime() : 0;
  const { change, beat, seen } = heed(state, finding.beat, { at: finding.at, now, lateMs }, plan.policy, plan.beats);
  const latencyMs = seen?.latencyMs == null ? null : Math.min(seen.latencyMs, LONGEST_MS);
  const check: CheckRow | null = seen && { ...noTimings, ...seen, region, latencyMs };
  const certificate = { state: NO_CERTIFICATE, change: null, isNew: false };
  return { result, revision, check, change, beat, certificate };
}

/** The states of these monitors as they are, locked until `tx` ends, by the monitor's id. */
export async function lockStates(
  tx: Tx,
  ids: string[],
): Promise<Map<string, StateRow & { last_error: string | null }>> {
  const rows = await lockMonitorStates<StateRow & { last_error: string | null }>(tx, ids);
  return new Map(rows.map((row) => [row.monitor_id, row]));
}

/** Decides again on the states as they are, locked until `tx` ends. Monitors that are gone are left out. */
async function decideLocked(tx: Tx, results: Result[]): Promise<Decided[]> {
  if (results.length === 0) return [];
  const states = await lockStates(
    tx,
    results.map(({ plan }) => plan.monitor.id),
  );
  return results.flatMap((result) => {
    const row = states.get(result.plan.monitor.id);
    return row ? [decide(result, toWatchState(row), row.revision)] : [];
  });
}

const hasEvents = ({ change, certificate }: Decided) =>
  change.spans.length > 0 || change.incidents.length > 0 || certificate.change !== null;

/** Ids by team, as live events are told. */
export function byTeam(monitors: { id: string; teamId: string }[]): Map<string, string[]> {
  const teams = new Map<string, string[]>();
  for (const { id, teamId } of monitors) {
    const ids = teams.get(teamId);
    if (ids) ids.push(id);
    else teams.set(teamId, [id]);
  }
  return teams;
}

async function writeCertificateEvents(tx: Tx, decided: Decided[]): Promise<void> {
  const subject = 'certificate' as const;
  const told = decided.flatMap(({ result: { plan, finding }, certificate: { change } }) => {
    return change ? [{ monitor: plan.monitor, at: finding.at, change }] : [];
  });
  const warned = told.flatMap(({ monitor, at: startedAt, change }) => {
    if (change.kind !== 'warn') return [];
    const { id: monitorId, teamId, name: monitorName } = monitor;
    return [{ monitorId, teamId, type: subject, monitorName, cause: change.cause, startedAt }];
  });
  const message = 'The certificate was replaced.';
  const cleared = told.flatMap(({ monitor, at: resolvedAt, change }) =>
    change.kind === 'clear' ? [{ monitorId: monitor.id, subject, resolvedAt, message }] : [],
  );
  await openIncidents(tx, warned);
  await resolveIncidents(tx, cleared);
}

/** What was open ends first: another may open about the same monitor in the same step. */
async function writeStatusIncidents(tx: Tx, decided: Decided[]): Promise<void> {
  const changes = decided.flatMap(({ result: { plan }, change: { incidents } }) => {
    const { id: monitorId, teamId, name: monitorName } = plan.monitor;
    return incidents.map((incident) => ({ monitorId, teamId, monitorName, ...incident }));
  });
  const subject = 'status' as const;
  await resolveIncidents(
    tx,
    changes.flatMap((change) => (change.kind === 'resolve' ? [{ ...change, subject }] : [])),
  );
  await openIncidents(
    tx,
    changes.filter((change) => change.kind === 'open'),
  );
  await noteIncidents(
    tx,
    changes.filter((change) => change.kind === 'note'),
  );
}

/** What follows from a change of status, in the transaction that makes it: spans, incidents, messages, live pages. */
export async function writeEvents(tx: Tx, decided: Decided[]): Promise<void> {
  const eventful = decided.filter(hasEvents);
  await writeSpans(
    tx,
    eventful.map(({ result, change }) => ({ monitorNum: result.plan.monitor.num, spans: change.spans })),
  );
  await writeStatusIncidents(tx, eventful);
  await writeCertificateEvents(tx, eventful);
  for (const [team, ids] of byTeam(eventful.map(({ result }) => result.plan.monitor))) {
    await notify(tx, { team, kind: 'monitor', ids });
  }
}

/** When each recorded monitor is due next, null for never. One that is missing was not recorded. */
export type Recorded = Map<string, Date | null>;

function toRecorded(decided: Decided[]): Recorded {
  return new Map(decided.map(({ result, change }) => [result.plan.monitor.id, change.dueAt]));
}

/**
 * Makes results count: keeps the checks, moves the states, and with a change of status writes its spans, its incident
 * and its messages in the same transaction. A result whose claim was lost, or of a monitor that was edited, paused or
 * deleted since, leaves no trace.
 *
 * @param worker whose claims the results stand on; null for checks made out of turn, which stand on none
 * @param results at most one per monitor
 */
export function recordResults(worker: string | null, results: Result[]): Promise<Recorded> {
  const moments = results.map(({ finding }) => finding.at);
  return withCheckDays(moments, () => record(worker, results));
}

async function record(worker: string | null, results: Result[]): Promise<Recorded> {
  const decided = results.flatMap((result) => {
    const basis = result.claim ?? result.basis;
    return basis ? [decide(result, basis.state, basis.revision)] : [];
  });
  const plain = decided.length === results.length && !decided.some(hasEvents);
  const recorded = plain ? toRecorded(await writeResults(db, worker, decided)) : new Map<string, Date | null>();
  if (plain && recorded.size === results.length) return recorded;
  return db.$transaction(async (tx) => {
    const eventful = plain ? [] : await writeResults(tx, worker, decided);
    const done = new Map([...recorded, ...toRecorded(eventful)]);
    const moved = results.filter(({ plan }) => !done.has(plan.monitor.id));
    const again = await writeResults(tx, worker, await decideLocked(tx, moved));
    await writeEvents(tx, [...eventful, ...again]);
    return new Map([...done, ...toRecorded(again)]);
  });
}
