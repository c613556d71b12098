import type { Observation, Verdict } from '@/server/monitors/probing/observation';
import { type ObserveOptions, observe } from '@/server/monitors/types/probes';
import { log } from '@/server/platform/log';
import { evaluateApart } from '../evaluation/evaluate-apart';
import { toStorable, toStorableVerdict } from '../record/storable';
import type { Clock } from '../schedule/clock';
import type { Plan } from '../schedule/plan';
import type { Beat } from '../verdict/heartbeat';

/** What happened to a heartbeat, by the database's clock. */
export interface BeatFinding {
  at: Date;
  beat: Beat;
}

/** One check that was made: when it began (by the database's clock), what it saw, and what that comes to. */
export interface Finding {
  at: Date;
  observation: Observation | null;
  verdict: Verdict;
}

type RunOptions = Pick<ObserveOptions, 'signal' | 'fresh'>;

function unknown(error: string): { observation: null; verdict: Verdict } {
  return { observation: null, verdict: { status: 'unknown', error } };
}

async function look({ target, monitor }: Plan, at: Date, options: RunOptions): Promise<Omit<Finding, 'at'>> {
  if (!target)
    return unknown('This monitor’s credentials cannot be decrypted because APP_SECRET has changed. Enter them again.');
  const { signal } = options;
  try {
    const observation = toStorable(await observe(target, { ...options, teamId: monitor.teamId }));
    const verdict = await evaluateApart({ target, observation, at }, monitor.teamId, signal);
    return { observation, verdict: toStorableVerdict(verdict) };
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, monitor: monitor.id }, 'A check could not be run');
    return unknown('Upwatch could not run this check; see the Upwatch log for details.');
  }
}

/** Makes one check; of a heartbeat, a look at the clock. Rejects only where the signal aborts: then there is no finding. */
export async function runCheck(plan: Plan, clock: Clock, options: RunOptions): Promise<Finding | BeatFinding> {
  const at = clock.now();
  if (plan.beats) return { at, beat: { kind: 'look' } };
  return { at, ...(await look(plan, at, options)) };
}
