import { withCheckDays } from '@/server/history/with-check-days';
import { db, type Tx } from '@/server/platform/db';
import { lockMonitorRegions } from '@/server/platform/locks';
import type { Finding } from '../run/run';
import { type Claim, toWatchState } from '../schedule/claim';
import type { RegionClaim } from '../schedule/claim-region';
import type { Plan } from '../schedule/plan';
import { decideRegions } from '../verdict/decide-regions';
import { transition } from '../verdict/transition';
import { toCheckRow } from './check-row';
import { certify, lockStates, NO_BEAT, type Recorded, writeEvents } from './record';
import { type RegionRow, toRegionState, toVote } from './region-state';
import { type RegionChange, writeRegions } from './write-regions';
import { type Decided, writeResults } from './write-results';

/** What one region found of a monitor. */
export interface RegionResult {
  plan: Plan;
  finding: Finding;
  region: string;
  /** When it was taken, by the database's clock. */
  takenAt: Date;
  /** Null for a check made out of turn. */
  claim: RegionClaim | null;
}

/** Monitors with what each of their regions says, held until `tx` ends: the states first, then the regions. */
async function lockRegions(tx: Tx, ids: string[]) {
  const states = await lockStates(tx, ids);
  // A statement of its own: it sees what was written by whoever held the states before.
  const rows = await lockMonitorRegions<RegionRow>(tx, ids);
  return ids.flatMap((id) => {
    const state = states.get(id);
    return state ? [{ state, regions: rows.filter(({ monitor_id }) => monitor_id === id) }] : [];
  });
}

type Locked = Awaited<ReturnType<typeof lockRegions>>[number];

function decide(worker: string | null, result: RegionResult, { state: row, regions }: Locked) {
  const { plan, finding, region, takenAt, claim } = result;
  const own = regions.find((each) => each.region === region);
  if (!own || (worker !== null && own.claimed_by !== worker)) return null;
  const now = claim && claim.dueAt > takenAt ? claim.dueAt : takenAt;
  const { at, verdict } = finding;
  const check = toCheckRow(finding, region);
  const before = toRegionState(own);
  const { state: after, dueAt } = transition(before, { ...verdict, at }, plan.policy, now);
  const isLast = after.lastCheckedAt?.getTime() === at.getTime();
  const change: RegionChange = { monitorId: own.monitor_id, region, dueAt, state: after, check: isLast ? check : null };
  const said = {
    ...toVote(own),
    ...{ status: after.status, statusSince: after.statusSince, lastCheckedAt: after.lastCheckedAt, dueAt },
    lastError: isLast ? verdict.error : own.last_error,
  };
  const votes = regions.map((each) => (each === own ? said : toVote(each)));
  const state = toWatchState(row);
  const isTurn = own.status !== after.status;
  const { change: overall, error } = decideRegions(state, votes, plan.policy, { at, now, isTurn });
  const decided: Decided = {
    result: { plan, finding, region, takenAt, claim: null },
    ...{ revision: row.revision, check, change: overall, beat: NO_BEAT },
    certificate: certify({ plan }, finding, state),
    reason: { error: error === undefined ? row.last_error : error },
  };
  return { decided, change };
}

/**
 * Makes what regions found count: keeps the checks, moves the regions' own verdicts, and from what they now say together
 * the monitors' states, with all that follows, in one transaction under the states' locks. So of two regions that
 * find at once, the second decides on what the first one said. What `recordResults` leaves out is left out here too.
 *
 * @param results at most one per monitor
 * @returns when each recorded monitor is due next in its region
 */
export function recordRegions(worker: string | null, results: RegionResult[]): Promise<Recorded> {
  const moments = results.map(({ finding }) => finding.at);
  return withCheckDays(moments, () => record(worker, results));
}

function record(worker: string | null, results: RegionResult[]): Promise<Recorded> {
  return db.$transaction(async (tx) => {
    const ids = results.map(({ plan }) => plan.monitor.id);
    const locked = new Map((await lockRegions(tx, ids)).map((each) => [each.state.monitor_id, each]));
    const all = results.flatMap((result) => {
      const held = locked.get(result.plan.monitor.id);
      const one = held && decide(worker, result, held);
      return one ? [one] : [];
    });
    const written = new Set(
      await writeResults(
        tx,
        null,
        all.map(({ decided }) => decided),
      ),
    );
    const counted = all.filter(({ decided }) => written.has(decided));
    await writeRegions(
      tx,
      worker,
      counted.map(({ change }) => change),
    );
    await writeEvents(tx, [...written]);
    return new Map(counted.map(({ change }) => [change.monitorId, change.dueAt]));
  });
}

/** Decides anew when a region was silent for so long that the others may come to another verdict without it. */
export async function recordSilence(worker: string, plan: Plan, claim: Claim, now: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    const [locked] = await lockRegions(tx, [plan.monitor.id]);
    if (!locked) return;
    const { state: row, regions } = locked;
    const state = toWatchState(row);
    const { change, error } = decideRegions(state, regions.map(toVote), plan.policy, { at: now, now, isTurn: false });
    const { certificate, certificateWarned } = state;
    const finding = { at: now, observation: null, verdict: { status: 'unknown' as const, error: null } };
    const decided: Decided = {
      result: { plan, finding, region: '', takenAt: now, claim },
      ...{ revision: row.revision, check: null, change, beat: NO_BEAT },
      certificate: { state: { certificate, certificateWarned }, change: null, isNew: false },
      reason: { error: error === undefined ? row.last_error : error },
    };
    await writeEvents(tx, await writeResults(tx, worker, [decided]));
  });
}
