import type { z } from 'zod';
import type { AgentIdentity } from '@/server/agents/identify-agent';
import { type AgentObservation, AgentResult, MOST_RESULT_BYTES, type ResultsAnswer } from '@/server/agents/protocol';
import { toBareAttempt } from '@/server/incidents/evidence/to-attempt';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { databaseNow } from '@/server/platform/database-now';
import type { Finding } from '../finding';
import { recordResults } from '../record/record';
import { Recorder } from '../record/recorder';
import { toStorable, toStorableVerdict } from '../record/storable';
import type { Result } from '../record/write-results';
import { type Claim, heldClaims } from '../schedule/claim';
import { type Plan, Plans } from '../schedule/plan';
import { claimedAtOf } from './ticket';

/** How long results of one call are recorded. An agent sends again what is not recorded until then. */
const LONGEST_MS = 8_000;

const plans = new Plans({ entries: 10_000, size: 16 * 1024 * 1024 });

function toObservation(seen: AgentObservation): Observation {
  const { certificate, addresses, connections, fingerprint, steps, ...rest } = seen;
  return toStorable({
    ...rest,
    certificate:
      certificate === null || certificate === 'unreadable'
        ? certificate
        : { ...certificate, validFrom: new Date(certificate.validFrom), validTo: new Date(certificate.validTo) },
    evidence: null,
    trace: { addresses, connections, fingerprint, exchanges: [], ...(steps && { steps }) },
  });
}

/**
 * Returns what an agent found. Its time is not before its claim, nor in the future. Time, region, status and cause of the evidence are those of the
 * check.
 */
function toFinding(given: AgentResult, region: string, at: Date): Finding {
  const { isNearlySlow, ...verdict } = given.verdict;
  const finding: Finding = {
    at,
    observation: given.observation && toObservation(given.observation),
    verdict: toStorableVerdict({ ...verdict, ...(isNearlySlow !== undefined && { isNearlySlow }) }),
  };
  // Without the agent's evidence, the check has the bare one, because its exchanges and rules are known to the agent alone.
  const bare = toBareAttempt(finding, region);
  const { at: time, status, error, latencyMs, statusCode } = bare.attempt;
  const { kept } = given;
  finding.kept =
    kept && JSON.stringify(kept).length <= MOST_RESULT_BYTES
      ? { ...kept, attempt: { ...kept.attempt, at: time, region, status, error, latencyMs, statusCode } }
      : bare;
  return finding;
}

/** What the recorder needs of a claim; a result of a region is decided on the state as it is when it is recorded. */
function toClaim({ monitorId, version, verdict }: AgentResult, region: string, now: Date): Claim {
  // The recorder then gathers the results of a call into batches.
  const state = { status: verdict.status } as Claim['state'];
  return { monitorId, region, version, revision: 0, dueAt: now, leaseUntil: now, state };
}

async function readPlans(given: AgentResult[]): Promise<Map<string, Plan>> {
  const found = new Map<string, Plan>();
  for await (const part of plans.inParts(given)) {
    for (const { of, plan } of part) if (plan?.monitor.version === of.version) found.set(of.monitorId, plan);
  }
  return found;
}

/**
 * Returns the results that count: those of monitors of the agent's team and region that were not edited meanwhile, whose claim it still holds and has
 * not expired. At most one per monitor.
 */
async function toResults({ id: agentId, teamId, region }: AgentIdentity, given: AgentResult[]): Promise<Result[]> {
  const held = await heldClaims(
    agentId,
    region,
    given.map(({ monitorId }) => monitorId),
  );
  const valid = [
    ...new Map(given.filter(({ monitorId }) => held.has(monitorId)).map((each) => [each.monitorId, each])).values(),
  ];
  const byId = await readPlans(valid);
  const now = await databaseNow();
  return valid.flatMap((each) => {
    const { monitorId, version, ticket } = each;
    const plan = byId.get(monitorId);
    const claimedAt = claimedAtOf({ agentId, monitorId, version }, ticket);
    if (!plan || !claimedAt || plan.monitor.teamId !== teamId || !plan.regions.includes(region)) return [];
    const at = new Date(Math.min(now.getTime(), Math.max(claimedAt.getTime(), each.at)));
    return [{ plan, finding: toFinding(each, region, at), region, takenAt: now, claim: toClaim(each, region, now) }];
  });
}

/**
 * Records results of an agent through the recorder of the workers, under the claims that the agent holds. So a check is recorded once, and a late
 * result changes nothing.
 */
export async function recordFromAgent(agent: AgentIdentity, given: unknown[]): Promise<z.infer<typeof ResultsAnswer>> {
  const parsed = given.flatMap((each) => AgentResult.safeParse(each).data ?? []);
  const results = await toResults(agent, parsed);
  const due: { monitorId: string; dueAt: number | null }[] = [];
  const waiting = new Set(results.map(({ plan }) => plan.monitor.id));
  const recorder = new Recorder((batch) => recordResults(agent.id, batch, 'skip'));
  for (const result of results) {
    const monitorId = result.plan.monitor.id;
    recorder.add(result, (dueAt) => {
      waiting.delete(monitorId);
      if (dueAt) due.push({ monitorId, dueAt: dueAt.getTime() });
    });
  }
  await recorder.stop(LONGEST_MS);
  return { due, retry: [...waiting] };
}
