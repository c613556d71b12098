import type { Observation, Verdict } from '@/server/monitor-types/probing/observation';
import type { KeptAttempt } from './evidence/texts';
import type { HeartbeatEvent } from './verdict/heartbeat';

/** A ping or a check for silence of a heartbeat, timed by the database's clock. */
export interface HeartbeatFinding {
  at: Date;
  event: HeartbeatEvent;
}

/** One check: when it began (by the database's clock), what it observed, and its verdict. */
export interface Finding {
  at: Date;
  observation: Observation | null;
  verdict: Verdict;
  /** The evidence of a check that a verdict may count. */
  kept?: KeptAttempt;
}
