import { type IncidentVerdict, writeVerdicts } from '@/server/incidents/evidence/write-verdicts';
import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { rulesAtOnce } from '../evaluation/evaluate-apart';
import { regionOf } from '../record/decide';
import type { Decided } from '../record/write-results';
import type { Finding } from '../run/run';
import type { Plan } from '../schedule/plan';
import { insertAttempts } from './attempt-queries';
import { lastGoodOf } from './last-good';
import { type KeptAttempt, toAttempt } from './to-attempt';
import { type PingBody, toBeatAttempt } from './to-beat-attempt';

type Pings = Map<string, PingBody>;

/** What came with the last pings of these heartbeats. */
async function readPings(tx: Tx, decided: Decided[]): Promise<Pings> {
  const ids = decided.flatMap(({ result: { finding, plan } }) => ('beat' in finding ? [plan.monitor.id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.heartbeatBody.findMany({ where: { monitorId: { in: ids } } });
  return new Map(rows.map((row) => [row.monitorId, row]));
}

/** The attempt of a check that does not contradict its row, but decides because of other regions or the end of maintenance. */
function lateAttempt(plan: Plan, finding: Finding, region: string): KeptAttempt {
  const { observation, at, verdict } = finding;
  const rules = plan.target && observation ? rulesAtOnce({ target: plan.target, observation, at }) : [];
  const lastGood = verdict.status === 'up' ? null : lastGoodOf(plan);
  return toAttempt(plan, { ...finding, context: { rules, lastGood } }, region);
}

function attemptOf({ result, check }: Decided, pings: Pings): KeptAttempt | null {
  const { finding, plan, region } = result;
  if (!('beat' in finding)) return finding.context?.kept ?? lateAttempt(plan, finding, region);
  if (!check || !plan.beats) return null;
  const before = (result.claim ?? result.basis)?.state ?? null;
  return toBeatAttempt(check, before, plan.beats, pings.get(plan.monitor.id) ?? null);
}

/** The row of an attempt. What cannot be described must not cost the verdict: it is missing then. */
function toRow(decided: Decided, pings: Pings) {
  const { result, check } = decided;
  try {
    const kept = check && attemptOf(decided, pings);
    if (!kept) return [];
    const content = Buffer.from(JSON.stringify(kept));
    const { at, status } = check;
    return [{ id: newId(), monitorId: result.plan.monitor.id, row: regionOf(result), at, status, content }];
  } catch (error) {
    log.error({ err: error, monitor: result.plan.monitor.id }, 'The evidence of a check could not be made');
    return [];
  }
}

/**
 * Keeps what checks saw that a verdict may count, and binds it to the incidents that were opened or resolved: in the transaction of the verdict.
 * Objects are written later, so that a storage that is away delays no verdict.
 */
export async function writeEvidence(tx: Tx, decided: Decided[], verdicts: IncidentVerdict[]): Promise<void> {
  const judged = new Set(verdicts.map(({ monitorId }) => monitorId));
  const telling = decided.filter(({ isTelling, result }) => isTelling || judged.has(result.plan.monitor.id));
  if (telling.length === 0) return;
  const pings = await readPings(tx, telling);
  const rows = telling.flatMap((each) => toRow(each, pings));
  const counting = new Set(verdicts.flatMap(({ type, monitorId }) => (type === 'certificate' ? [] : [monitorId])));
  for (const { isTelling, result } of telling) if (isTelling) counting.add(result.plan.monitor.id);
  const data = rows.filter(({ monitorId }) => counting.has(monitorId));
  await insertAttempts(tx, data);
  await writeVerdicts(tx, verdicts, rows);
}
