import type { z } from 'zod';
import type { AgentIdentity } from '@/server/agents/identify-agent';
import { type AgentObservation, AgentResult, MOST_RESULT_BYTES, type ResultsAnswer } from '@/server/agents/protocol';
import { limitDetails, limitLastGood, toBareAttempt } from '@/server/incidents/evidence/to-attempt';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { databaseNow } from '@/server/platform/database-now';
import { log } from '@/server/platform/log';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { plainText } from '@/server/platform/plain-text';
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
const MOST_TEXT = 500;

const plans = new Plans({ entries: 10_000, size: 16 * 1024 * 1024 });

const clean = (text: string) => plainText(text, MOST_TEXT);

function toObservation(seen: AgentObservation): Observation {
  const { certificate, connections, fingerprint, steps, ...rest } = seen;
  const addresses = seen.addresses.map(({ address }) => ({ address: clean(address) }));
  return toStorable({
    ...rest,
    certificate:
      certificate === null || certificate === 'unreadable'
        ? certificate
        : { ...certificate, validFrom: new Date(certificate.validFrom), validTo: new Date(certificate.validTo) },
    evidence: null,
    trace: {
      addresses,
      connections: connections.map(({ address, port, error }) => {
        return { address: clean(address), port, error: error === null ? null : clean(error) };
      }),
      fingerprint: fingerprint && clean(fingerprint),
      exchanges: [],
      ...(steps && { steps: steps.map((step) => ({ ...step, name: clean(step.name) })) }),
    },
  });
}

/**
 * Returns what an agent found at `at`. Its evidence adds exchanges and rules to what is known of the check.
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
  const { kept } = given;
  finding.kept =
    kept && JSON.stringify(kept).length <= MOST_RESULT_BYTES
      ? {
          attempt: { ...bare.attempt, ...limitDetails(kept.attempt) },
          lastGood: kept.lastGood && limitLastGood(kept.lastGood),
        }
      : bare;
  return finding;
}

/** What the recorder needs of a claim; a result of a region is decided on the state as it is when it is recorded. */
function toClaim({ monitorId, version, verdict }: AgentResult, region: string, dueAt: Date, now: Date): Claim {
  // The recorder then gathers the results of a call into batches.
  const state = { status: verdict.status } as Claim['state'];
  return { monitorId, region, version, revision: 0, dueAt, leaseUntil: now, state };
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
  const results: Result[] = [];
  for (const each of valid) {
    const { monitorId, version, ticket } = each;
    const plan = byId.get(monitorId);
    const dueAt = held.get(monitorId);
    const claimedAt = dueAt && claimedAtOf({ agentId, monitorId, version, dueAt }, ticket);
    if (!plan || !claimedAt || plan.monitor.teamId !== teamId || !plan.regions.includes(region)) continue;
    await takeLoopTurn(teamId);
    const at = new Date(Math.min(now.getTime(), Math.max(claimedAt.getTime(), each.at)));
    const finding = toFinding(each, region, at);
    results.push({ plan, finding, region, takenAt: now, claim: toClaim(each, region, dueAt, now) });
  }
  return results;
}

/**
 * Records results of an agent through the recorder of the workers, under the claims that the agent holds. So a check is recorded once, and a late
 * result changes nothing.
 */
export async function recordFromAgent(agent: AgentIdentity, given: unknown[]): Promise<z.infer<typeof ResultsAnswer>> {
  const parsed: AgentResult[] = [];
  let issue: object | undefined;
  for (const each of given) {
    await takeLoopTurn(agent.teamId);
    const { data, error } = AgentResult.safeParse(each);
    if (data) parsed.push(data);
    else issue ??= error.issues[0];
  }
  if (issue)
    log.warn({ agent: agent.id, issue, count: given.length - parsed.length }, 'Results of an agent are malformed');
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
