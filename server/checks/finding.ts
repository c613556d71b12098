import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import type { KeptAttempt } from './evidence/texts';
import type { Beat } from './verdict/heartbeat';

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
  /** The evidence of a check that a verdict may count. */
  kept?: KeptAttempt;
}
