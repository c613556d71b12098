import type { CheckRow } from '@/server/history/monitor/to-check';
import type { CheckResult } from '@/server/monitor-types/probing/observation';
import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { insertAttempts } from './queries';
import type { CheckedMonitor, KeptAttempt } from './secrets';
import { toAttempt, toBareAttempt } from './to-attempt';
import { type AwaitedPing, type PingBody, toPingAttempt } from './to-ping-attempt';
import { type IncidentVerdict, writeVerdicts } from './write-verdicts';

/** A check that a verdict may count. */
export interface CountedCheck {
  plan: CheckedMonitor;
  region: string;
  /** The state row that it updates. */
  row: string;
  /** Null if no check is stored. */
  check: CheckRow | null;
  /** What a check observed, with `kept` if its evidence is already built. For a heartbeat, the ping that was expected. */
  seen: (CheckResult & { kept?: KeptAttempt }) | AwaitedPing;
  /** Whether it contradicts the state of its row. Otherwise only the verdict that it led to counts it. */
  keepsEvidence: boolean;
}

type Pings = Map<string, PingBody>;

/** Reads the bodies of the last pings of the heartbeats among these monitors, by monitor. */
async function readPings(tx: Tx, counted: CountedCheck[]): Promise<Pings> {
  const ids = counted.flatMap(({ seen, plan }) => ('deadline' in seen ? [plan.monitor.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.heartbeatBody.findMany({ where: { monitorId: { in: ids } } });
  return new Map(rows.map((row) => [row.monitorId, row]));
}

/**
 * A check whose evidence is completed after the transaction. It led to a verdict without contradicting its own row: because of other regions, the end
 * of maintenance, or its certificate.
 */
export interface LateCheck extends Pick<CountedCheck, 'plan' | 'region' | 'row'> {
  seen: CheckResult;
}

/** Returns the check if its evidence is not built yet, because masking and rules take too long for a transaction; empty otherwise. */
function lateCheck({ seen, check, plan, region, row }: CountedCheck): LateCheck[] {
  return 'deadline' in seen || seen.kept || !check ? [] : [{ plan, seen, region, row }];
}

function attemptOf({ seen, check, plan, region }: CountedCheck, pings: Pings): KeptAttempt | null {
  if (!('deadline' in seen)) return seen.kept ?? toBareAttempt(seen, region);
  return check && toPingAttempt(check, seen, pings.get(plan.monitor.id) ?? null);
}

const contentOf = (kept: KeptAttempt) => Buffer.from(JSON.stringify(kept));

/** Builds the row of an attempt; empty if no check is stored. Logs a failure: the evidence is then missing, but the verdict still counts. */
function toRow(counted: CountedCheck, pings: Pings) {
  const { check, plan, row } = counted;
  const monitorId = plan.monitor.id;
  try {
    const kept = check && attemptOf(counted, pings);
    return kept ? [{ id: newId(), monitorId, row, at: check.at, status: check.status, content: contentOf(kept) }] : [];
  } catch (error) {
    log.error({ err: error, monitor: monitorId }, 'The evidence of a check could not be made');
    return [];
  }
}

/** Adds exchanges and rules to the evidence of a check after its transaction. If that fails (logged) or the process dies, the evidence has none. */
async function completeAttempt({ plan, seen, region, row }: LateCheck): Promise<void> {
  const monitorId = plan.monitor.id;
  try {
    const kept = await toAttempt(plan, seen, region, new AbortController().signal);
    // Several verdicts may have a copy of the attempt.
    await db.checkAttempt.updateMany({ where: { monitorId, row, at: seen.at }, data: { content: contentOf(kept) } });
  } catch (error) {
    log.error({ err: error, monitor: monitorId }, 'The evidence of a check could not be completed');
  }
}

/** Completes the evidence of the checks that `writeEvidence` returned. Call it after the transaction has committed. Never rejects. */
export async function completeEvidence(late: LateCheck[]): Promise<void> {
  await Promise.all(late.map(completeAttempt));
}

/**
 * Stores the evidence of checks that a verdict may count, and assigns it to the incidents that were opened or resolved, in the transaction of the
 * verdict. A job uploads it later, so that an unreachable object storage delays no verdict.
 * @returns the checks whose evidence has to be completed after the transaction (`completeEvidence`)
 */
export async function writeEvidence(
  tx: Tx,
  counted: CountedCheck[],
  verdicts: IncidentVerdict[],
): Promise<LateCheck[]> {
  if (counted.length === 0) return [];
  const pings = await readPings(tx, counted);
  const rows = counted.flatMap((each) => toRow(each, pings));
  const counting = new Set(verdicts.flatMap(({ type, monitorId }) => (type === 'certificate' ? [] : [monitorId])));
  for (const { keepsEvidence, plan } of counted) if (keepsEvidence) counting.add(plan.monitor.id);
  await insertAttempts(
    tx,
    rows.filter(({ monitorId }) => counting.has(monitorId)),
  );
  await writeVerdicts(tx, verdicts, rows);
  return counted.flatMap(lateCheck);
}
