import { log } from '@/server/platform/log';
import type { Clock } from './clock';
import { evaluateApart } from './evaluate-apart';
import type { Beat } from './heartbeat';
import type { Plan } from './plan';
import { observe } from './protocols';
import type { Observation, Verdict } from './types';

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

const MOST_ERROR_CHARACTERS = 500;

/** Text as a database takes it: no control characters (a server may send any), no half characters, not too long. */
function printable(text: string | null): string | null {
  if (text === null) return null;
  const clean = text.toWellFormed().replace(/\p{Cc}+/gu, ' ');
  return clean.length > MOST_ERROR_CHARACTERS ? `${clean.slice(0, MOST_ERROR_CHARACTERS).toWellFormed()}…` : clean;
}

function unknown(error: string): { observation: null; verdict: Verdict } {
  return { observation: null, verdict: { status: 'unknown', error } };
}

async function look({ target, monitor }: Plan, at: Date, signal: AbortSignal): Promise<Omit<Finding, 'at'>> {
  if (!target)
    return unknown('The secrets of this monitor cannot be read: APP_SECRET is another one now. Enter them again.');
  try {
    const observation = await observe(target, signal);
    const verdict = await evaluateApart({ target, observation, at }, signal);
    return { observation, verdict: { ...verdict, error: printable(verdict.error) } };
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, monitor: monitor.id }, 'A check could not be made');
    return unknown('Upwatch could not make this check; its log says why.');
  }
}

/** Makes one check; of a heartbeat, a look at the clock. Rejects only where `signal` aborts: then there is no finding. */
export async function runCheck(plan: Plan, clock: Clock, signal: AbortSignal): Promise<Finding | BeatFinding> {
  const at = clock.now();
  if (plan.beats) return { at, beat: { kind: 'look' } };
  return { at, ...(await look(plan, at, signal)) };
}
