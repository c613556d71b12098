import type { CheckRow } from '@/server/history/monitor/to-check';
import { LONGEST_MS, toCheckRow } from '@/server/history/monitor/to-check';
import { isInside } from '@/server/time/edges';
import type { Finding, HeartbeatFinding } from '../finding';
import { type LockedRow, type StoredState, toVote, toWatchState } from '../schedule/state-row';
import { watchCertificate } from '../verdict/certificate';
import { decideRegions, regionsToAsk } from '../verdict/decide-regions';
import { policyWhileFlapping } from '../verdict/flapping';
import { applyPing } from '../verdict/heartbeat';
import { holdCertificate, holdInMaintenance } from '../verdict/maintenance';
import { policyIn } from '../verdict/regional-policy';
import { speaksAgainst } from '../verdict/speaks-against';
import { contradictedSince, transition } from '../verdict/transition';
import type { WatchState } from '../verdict/types';
import type { Decided, Result, StateChange } from './write-results';

const NO_CERTIFICATE = { state: { certificate: null, certificateWarned: false }, isNew: false };
const NO_HEARTBEAT = { expectedSince: null, runStartedAt: null };

const noTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null, statusCode: null };

/** Returns the region whose row a result updates; '' is the monitor's own row. */
export function regionOf({ plan, region, claim }: Pick<Result, 'plan' | 'region' | 'claim'>): string {
  if (claim) return claim.region;
  return plan.regions.length > 0 ? region : '';
}

/** Returns when a result was taken, or when its check was due if that is later. */
export const nowOf = ({ claim, takenAt }: Result) => (claim && claim.dueAt > takenAt ? claim.dueAt : takenAt);

/** Returns whether a check is the latest one of its row. An older check is stored, but the row keeps showing the later one. */
const isLast = (state: WatchState, check: CheckRow | null) =>
  check !== null && state.lastCheckedAt?.getTime() === check.at.getTime();

/** Returns the certificate state after a check, and the certificate change to report; null if there is none. */
function certify(result: Result, finding: Finding | HeartbeatFinding, state: StoredState) {
  const { plan } = result;
  const { certificate, certificateWarned } = state;
  const before = { certificate, certificateWarned };
  const observation = 'event' in finding ? null : finding.observation;
  const everyMs = (plan.policy.intervalSeconds * 1000) / Math.max(1, plan.regions.length);
  const moment = { at: finding.at, now: nowOf(result) };
  const { state: after, change } = observation
    ? holdCertificate(state, watchCertificate(before, observation, plan.warnDays, finding.at, everyMs), moment)
    : { state: before, change: null };
  return { change, certificate: { state: after, isNew: after.certificate !== certificate } };
}

/**
 * Decides how a check changes its row, the spans and the incidents. Writes nothing.
 * @param own the state of the monitor's own row
 */
function decideCheck(
  result: Result,
  finding: Finding,
  before: StoredState,
  { region, revision }: Basis,
  own: StoredState = before,
): Decided {
  const { verdict, at, observation } = finding;
  const seen = { ...verdict, at, tookMs: observation?.latencyMs ?? 0 };
  const { plan, region: seenFrom } = result;
  const now = nowOf(result);
  const policy = policyWhileFlapping(policyIn(plan, region), own);
  const decide = (from: WatchState) => transition(from, seen, policy, now);
  const { change: decision, held } = holdInMaintenance(before, decide, { at, now }, policy);
  const { state, dueAt, spans, incidents } = decision;
  const check = toCheckRow(finding, seenFrom);
  const { change, certificate } = certify(result, finding, before);
  const shown = isLast(state, check) ? check : null;
  const row = { region, revision, state, dueAt, heartbeat: NO_HEARTBEAT, certificate, held, shown };
  const keepsEvidence = speaksAgainst(before, verdict, plan.policy);
  return { result, check, keepsEvidence, rows: [row], spans, incidents, certificate: change };
}

/** Decides how a ping, or a check for silence, changes a heartbeat. Writes nothing. */
function decideHeartbeat(
  result: Result,
  finding: HeartbeatFinding,
  before: StoredState,
  { region, revision }: Basis,
): Decided {
  const { plan, region: seenFrom, claim, takenAt } = result;
  if (!plan.pingSchedule) throw new Error('Only heartbeat monitors accept pings.');
  const lateMs = claim ? takenAt.getTime() - claim.dueAt.getTime() : 0;
  const moment = { at: finding.at, now: nowOf(result), lateMs };
  const { pingSchedule } = plan;
  const decide = (from: WatchState) => {
    const { change, ...rest } = applyPing({ ...before, ...from }, finding.event, moment, plan.policy, pingSchedule);
    return { ...change, ...rest };
  };
  const { change, held } = holdInMaintenance(before, decide, moment, plan.policy);
  const { state, dueAt, spans, incidents, heartbeat, seen } = change;
  const latencyMs = seen?.latencyMs == null ? null : Math.min(seen.latencyMs, LONGEST_MS);
  const check: CheckRow | null = seen && { ...noTimings, ...seen, region: seenFrom, latencyMs };
  const shown = isLast(state, check) ? check : null;
  const row = { region, revision, state, dueAt, heartbeat, certificate: NO_CERTIFICATE, held, shown };
  return { result, check, keepsEvidence: false, rows: [row], spans, incidents, certificate: null };
}

/** The row that a decision is based on, and its revision. */
type Basis = Pick<StateChange, 'region' | 'revision'>;

/** Decides a result of a monitor without regions, whose state was read as `before`. */
export function decideOwn(result: Result, before: StoredState, revision: number): Decided {
  const basis = { region: regionOf(result), revision };
  const { finding } = result;
  return 'event' in finding
    ? decideHeartbeat(result, finding, before, basis)
    : decideCheck(result, finding, before, basis);
}

/**
 * Decides how a check changes the row of its region, like for a monitor without regions. The row's open incident is internal and only serves to
 * confirm the end of a downtime. Flapping, certificates and changes held in maintenance are stored in the monitor's own row.
 */
function decideRegion(result: Result, finding: Finding, row: LockedRow, own: StoredState) {
  const { check, rows, keepsEvidence } = decideCheck(result, finding, toWatchState(row), row, own);
  const [change] = rows;
  const state = { ...change.state, changes: [], steadySince: null };
  return { check, keepsEvidence, change: { ...change, state, held: null, certificate: NO_CERTIFICATE } };
}

/** Returns the vote of a region: from its new state if this result changes its row, otherwise from the stored row. */
function voteOf(row: LockedRow, changed: StateChange | undefined) {
  if (!changed) return toVote(row);
  const { status, statusSince, lastCheckedAt } = changed.state;
  const turnedAt = contradictedSince(changed.state);
  const lastError = changed.shown ? changed.shown.error : row.last_error;
  return { region: row.region, status, statusSince, lastCheckedAt, lastError, turnedAt, dueAt: changed.dueAt };
}

/** Returns a change of a region's row that sets only its due time. */
function toDueNow(row: LockedRow, dueAt: Date): StateChange {
  const { region, revision } = row;
  const kept = { heartbeat: NO_HEARTBEAT, certificate: NO_CERTIFICATE, held: null, shown: null };
  return { region, revision, state: toWatchState(row), dueAt, ...kept };
}

/**
 * Decides a result of a monitor with regions: first the change of its region's row, then, by the votes of all regions, that of the monitor's own row.
 * A result for the own row comes from a check for silent regions and changes only that row.
 */
function decideQuorum(result: Result, row: LockedRow, own: LockedRow, regions: LockedRow[]): Decided {
  const { finding, plan } = result;
  const before = toWatchState(own);
  const found = row === own || 'event' in finding ? null : decideRegion(result, finding, row, before);
  const check = found?.check ?? null;
  const votes = regions.map((each) => voteOf(each, each === row ? found?.change : undefined));
  const isTurn = found !== null && found.change.state.status !== row.status;
  const now = nowOf(result);
  const isFailing = found !== null && 'verdict' in finding && finding.verdict.status === 'down';
  const upSince = isFailing && row.status === 'down' ? row.turned_at : null;
  const moment = { at: finding.at, now, isTurn, isFailing, upSince };
  const decide = (from: WatchState) => {
    const { change: decision, error = own.last_error } = decideRegions(from, votes, plan.policy, moment);
    return { ...decision, error };
  };
  const { change: decision, held } = holdInMaintenance(before, decide, moment, plan.policy);
  const { state, dueAt, spans, incidents, error } = decision;
  const { change, certificate } = certify(result, finding, before);
  const others = regions.filter((each) => each !== row);
  const asked = found
    ? regionsToAsk(before, { before: toWatchState(row), after: found.change.state }, others.map(toVote), now)
    : [];
  const dueNow = others
    .filter(({ region, claimed_until: until }) => asked.includes(region) && (until === null || until < now))
    .filter((each) => !isInside(each.check_pauses, now))
    .map((each) => toDueNow(each, now));
  const latencyMs = check && isLast(state, check) ? check.latencyMs : own.last_latency_ms;
  const shown = { latencyMs, error };
  const ownChange = {
    region: '',
    revision: own.revision,
    state,
    dueAt,
    heartbeat: NO_HEARTBEAT,
    certificate,
    held,
    shown,
  };
  return {
    result,
    check,
    keepsEvidence: found?.keepsEvidence ?? false,
    rows: found ? [found.change, ownChange, ...dueNow] : [ownChange],
    isAsking: dueNow.length > 0,
    spans,
    incidents,
    certificate: change,
  };
}

/**
 * Decides a result of a monitor whose rows are locked.
 * @param worker the holder of the result's claim; null for a result without a claim
 * @returns null if the result does not count: its claim is lost, its row was deleted, or the monitor is paused
 */
export function decideLocked(worker: string | null, result: Result, rows: LockedRow[]): Decided | null {
  const own = rows.find(({ region }) => region === '');
  const row = rows.find(({ region }) => region === regionOf(result));
  if (!own || !row || own.status === 'paused' || (worker !== null && row.claimed_by !== worker)) return null;
  if (result.plan.regions.length === 0) return decideOwn(result, toWatchState(row), row.revision);
  return decideQuorum(
    result,
    row,
    own,
    rows.filter((each) => each !== own),
  );
}
