import { type IncidentVerdict, writeVerdicts } from '@/server/incidents/evidence/write-verdicts';
import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import type { Finding } from '../finding';
import { regionOf } from '../record/decide';
import type { Decided } from '../record/write-results';
import type { Plan } from '../schedule/plan';
import { insertAttempts } from './attempt-queries';
import type { KeptAttempt } from './texts';
import { toAttempt, toBareAttempt } from './to-attempt';
import { type PingBody, toPingAttempt } from './to-ping-attempt';

type Pings = Map<string, PingBody>;

/** Reads the bodies of the last pings of these heartbeats. */
async function readPings(tx: Tx, decided: Decided[]): Promise<Pings> {
  const ids = decided.flatMap(({ result: { finding, plan } }) => ('event' in finding ? [plan.monitor.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.heartbeatBody.findMany({ where: { monitorId: { in: ids } } });
  return new Map(rows.map((row) => [row.monitorId, row]));
}

/** A check that led to a verdict although it does not contradict its row: because of other regions, the end of maintenance, or its certificate. */
export interface LateCheck {
  plan: Plan;
  finding: Finding;
  region: string;
  row: string;
}

/** The evidence of such a check is built after the transaction, because masking and rules take long. */
function lateCheck({ result, check }: Decided): LateCheck[] {
  const { finding, plan, region } = result;
  return 'event' in finding || finding.kept || !check ? [] : [{ plan, finding, region, row: regionOf(result) }];
}

function attemptOf({ result, check }: Decided, pings: Pings): KeptAttempt | null {
  const { finding, plan, region } = result;
  if (!('event' in finding)) return finding.kept ?? toBareAttempt(finding, region);
  if (!check || !plan.pingSchedule) return null;
  const before = (result.claim ?? result.basis)?.state ?? null;
  return toPingAttempt(check, before, plan.pingSchedule, pings.get(plan.monitor.id) ?? null);
}

const contentOf = (kept: KeptAttempt) => Buffer.from(JSON.stringify(kept));

/** Builds the row of an attempt. If that fails, the evidence is missing, but the verdict still counts. */
function toRow(decided: Decided, pings: Pings) {
  const { result, check } = decided;
  try {
    const kept = check && attemptOf(decided, pings);
    if (!kept) return [];
    const { at, status } = check;
    const content = contentOf(kept);
    return [{ id: newId(), monitorId: result.plan.monitor.id, row: regionOf(result), at, status, content }];
  } catch (error) {
    log.error({ err: error, monitor: result.plan.monitor.id }, 'The evidence of a check could not be made');
    return [];
  }
}

/** Completes the evidence of a check after its transaction. If that fails or the process dies first, the evidence has no exchanges and rules. */
async function completeAttempt({ plan, finding, region, row }: LateCheck): Promise<void> {
  const monitorId = plan.monitor.id;
  try {
    const kept = await toAttempt(plan, finding, region, new AbortController().signal);
    // Several verdicts may have a copy of the attempt.
    await db.checkAttempt.updateMany({ where: { monitorId, row, at: finding.at }, data: { content: contentOf(kept) } });
  } catch (error) {
    log.error({ err: error, monitor: monitorId }, 'The evidence of a check could not be completed');
  }
}

/** Completes the evidence of the checks that `writeEvidence` returned, after its transaction has committed. */
export async function completeEvidence(late: LateCheck[]): Promise<void> {
  await Promise.all(late.map(completeAttempt));
}

/**
 * Stores the evidence of checks that a verdict may count, and binds it to the incidents that were opened or resolved, in the transaction of the
 * verdict. A job uploads it later, so that an unreachable object storage delays no verdict.
 * @returns the checks whose evidence has to be completed after the transaction (`completeEvidence`)
 */
export async function writeEvidence(tx: Tx, decided: Decided[], verdicts: IncidentVerdict[]): Promise<LateCheck[]> {
  const judged = new Set(verdicts.map(({ monitorId }) => monitorId));
  const kept = decided.filter(({ keepsEvidence, result }) => keepsEvidence || judged.has(result.plan.monitor.id));
  if (kept.length === 0) return [];
  const pings = await readPings(tx, kept);
  const rows = kept.flatMap((each) => toRow(each, pings));
  const counting = new Set(verdicts.flatMap(({ type, monitorId }) => (type === 'certificate' ? [] : [monitorId])));
  for (const { keepsEvidence, result } of kept) if (keepsEvidence) counting.add(result.plan.monitor.id);
  const data = rows.filter(({ monitorId }) => counting.has(monitorId));
  await insertAttempts(tx, data);
  await writeVerdicts(tx, verdicts, rows);
  return kept.flatMap(lateCheck);
}
