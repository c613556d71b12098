import { keepLastGood } from '@/server/incidents/evidence/last-good';
import { withoutSecrets } from '@/server/incidents/evidence/secrets';
import { toAttempt } from '@/server/incidents/evidence/to-attempt';
import { evaluateApart } from '@/server/monitor-types/evaluation/evaluate-apart';
import { type ObserveOptions, observe } from '@/server/monitor-types/probes';
import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import { log } from '@/server/platform/log';
import { CostlyTurns } from '@/server/platform/net';
import type { Finding, HeartbeatFinding } from '../finding';
import { toStorable, toStorableVerdict } from '../record/storable';
import type { Clock } from '../schedule/clock';
import { readGaps } from '../schedule/listening';
import type { Plan } from '../schedule/plan';
import type { Gap } from '../verdict/heartbeat';

interface RunOptions extends Pick<ObserveOptions, 'signal' | 'fresh'> {
  /** Whether a verdict may count the check. Its evidence is then built at once, outside of any transaction. */
  keepsEvidence: (verdict: Verdict) => boolean;
  region: string;
  /** Whether the monitor is not saved, so that later checks have nothing to compare with. */
  isDraft?: boolean;
}

function unknown(error: string): { observation: null; verdict: Verdict } {
  return { observation: null, verdict: { status: 'unknown', error } };
}

/**
 * Checks the target of a monitor. Returns unknown if its secrets cannot be decrypted or the check itself throws; the error is logged.
 * @throws the reason of the signal if it aborts
 */
async function checkTarget(plan: Plan, at: Date, options: RunOptions): Promise<Omit<Finding, 'at'>> {
  const { target, monitor } = plan;
  if (!target)
    return unknown('This monitor’s credentials cannot be decrypted because APP_SECRET has changed. Enter them again.');
  const { signal, fresh, keepsEvidence, region, isDraft = false } = options;
  const { teamId } = monitor;
  // Targets can end hundreds of checks at once, whose rules and evidence take this thread up to 20 ms each.
  const turns = new CostlyTurns({ teamId, by: { signal, waitForUs: (wait) => wait() } }, Number.POSITIVE_INFINITY);
  const judge = async (observed: Observation) => {
    const observation = toStorable(observed);
    const found = toStorableVerdict(await evaluateApart({ target, observation, at }, teamId, signal));
    const verdict = await withoutSecrets(plan, observation, found, signal);
    const finding: Finding = { at, observation, verdict };
    if (keepsEvidence(verdict)) finding.kept = await toAttempt(plan, finding, region, signal);
    if (verdict.status === 'up' && !isDraft) keepLastGood(plan, finding, region);
    return finding;
  };
  try {
    const observed = await observe(target, { signal, ...(fresh && { fresh }), teamId });
    return await turns.take(() => judge(observed));
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, monitor: monitor.id }, 'A check could not be run');
    return unknown('Upwatch could not run this check; see the Upwatch log for details.');
  }
}

/** Returns the times in which pings could not be received. If they cannot be read, returns one gap that covers all time until `at`. */
async function knownGaps(at: Date): Promise<{ gaps?: Gap[] }> {
  try {
    const gaps = await readGaps();
    return gaps ? { gaps } : {};
  } catch (error) {
    log.warn({ err: error }, 'The times in which pings could be received could not be read');
    return { gaps: [{ from: new Date(0), to: at }] };
  }
}

/** Runs one check; for a heartbeat, a check for silence. Rejects only if the signal aborts. */
export async function runCheck(plan: Plan, clock: Clock, options: RunOptions): Promise<Finding | HeartbeatFinding> {
  const at = clock.now();
  if (plan.pingSchedule) return { at, event: { kind: 'silence', ...(await knownGaps(at)) } };
  return { at, ...(await checkTarget(plan, at, options)) };
}
