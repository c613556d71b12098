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

/** An HTTP answer; header names in lower case, repeated ones joined with ", ". */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** At most 1 MiB; `truncated` says that there was more. */
  body: Buffer;
  truncated: boolean;
  redirects: number;
}

/**
 * What one check saw. `failed` says that the target did not do what was asked of it, `unknown` that the check could not
 * be made, which says nothing about the target. `error` is in plain words, and there unless the outcome is `ok`.
 */
export interface Observation {
  outcome: 'ok' | 'failed' | 'unknown';
  error: string | null;
  /** From the first step to the last byte, in milliseconds. */
  latencyMs: number;
  timings: Timings;
  /** The address family that was connected to. */
  family: 4 | 6 | null;
  certificate: SeenCertificate | null;
  /** An http check's answer. */
  answer: HttpAnswer | null;
  /** A dns check's records, in the order they came. */
  records: string[] | null;
  /** How many of a ping check's packets came back. */
  packets: { sent: number; received: number } | null;
}

/** What one check comes to. `error` says why it is not `up`. */
export interface Verdict {
  status: Extract<MonitorStatus, 'up' | 'degraded' | 'down' | 'unknown'>;
  error: string | null;
  /** Up, but not by much: a little slower and it were degraded. */
  isNearlySlow?: boolean;
}
