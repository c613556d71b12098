import type { MonitorStatus } from '@/server/monitors/schema';

/** How long each phase took, in milliseconds, added up over redirects. A phase that did not happen is null. */
export interface Timings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  downloadMs: number | null;
}

/** The certificate a server showed, trusted or not. */
export interface Certificate {
  subject: string;
  issuer: string;
  validFrom: Date;
  validTo: Date;
}

/** A certificate as a check saw it. `unreadable` has dates that are none: nothing can be said of when it ends. */
export type SeenCertificate = Certificate | 'unreadable';

/**
 * What one check saw. `failed`: the target did not do what was asked of it. `unknown`: the check could not be made, which
 * says nothing about the target. `error` is in plain words, and null only where the outcome is `ok`.
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
  /** What the type's `evaluate` judges, in a form of its own; null where the exchange failed or the type needs none. */
  evidence: Evidence | null;
}

/** What one check comes to. `error` says why it is not `up`. */
export interface Verdict {
  status: Extract<MonitorStatus, 'up' | 'degraded' | 'down' | 'unknown'>;
  error: string | null;
  /** Up, but not by much: a little slower and it were degraded. */
  isNearlySlow?: boolean;
}
