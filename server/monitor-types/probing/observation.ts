import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { Timings, Trace } from './trace';

export type { Timings };

/** The certificate that a server presented, trusted or not. */
export interface Certificate {
  subject: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
}

/** A certificate as observed. `unreadable` has invalid dates, so its expiry is unknown. */
export type SeenCertificate = Certificate | 'unreadable';

/**
 * The observation of one check. `failed`: the target did not respond as required. `unknown`: the check could not be run, which says nothing about the
 * target. `error` is plain text, and null only if the outcome is `ok`.
 */
export interface Observation<Evidence = unknown> {
  outcome: 'ok' | 'failed' | 'unknown';
  error: string | null;
  /** From the first step to the last byte, in milliseconds. */
  latencyMs: number;
  timings: Timings;
  /** The address family that was connected to. */
  family: 4 | 6 | null;
  certificate: SeenCertificate | null;
  /** The status code of protocols that have one (HTTP, SMTP), as it is stored with the check. */
  statusCode: number | null;
  /** The input of the type's `evaluate`; null if the exchange failed or the type needs none. */
  evidence: Evidence | null;
  trace: Trace;
}

/** The verdict on one check. `error` explains any status except `up`. */
export interface Verdict {
  status: Extract<MonitorStatus, 'up' | 'degraded' | 'down' | 'unknown'>;
  error: string | null;
  /** Up, but close to the limit for degraded. */
  isNearlySlow?: boolean;
}

/** One check: when it began (by the database's clock), what it observed, and its verdict. */
export interface CheckResult {
  at: Date;
  observation: Observation | null;
  verdict: Verdict;
}
