import type { KeptAttempt } from '@/server/incidents/evidence/secrets';
import type { CheckResult } from '@/server/monitor-types/probing/observation';
import type { HeartbeatEvent } from './verdict/heartbeat';

/** A ping or a check for silence of a heartbeat, timed by the database's clock. */
export interface HeartbeatFinding {
  at: Date;
  event: HeartbeatEvent;
}

export interface Finding extends CheckResult {
  /** The evidence of the check; set only if a verdict may count the check. */
  kept?: KeptAttempt;
}
