import { LONGEST_MS } from '@/server/history/monitor/to-check';
import type { Observation, SeenCertificate, Timings, Verdict } from '@/server/monitor-types/probing/observation';
import { plainText } from '@/server/platform/plain-text';
import type { Finding } from '../finding';
import type { Result } from './write-results';

const NOT_STORED = 'The result of this check could not be stored; see the Upwatch log for details';
const MOST_ERROR_CHARACTERS = 500;
const MOST_NAME_CHARACTERS = 200;

const storableMs = (ms: number | null) =>
  ms === null || Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_MS);

function storableTimings({ dnsMs, connectMs, tlsMs, firstByteMs, downloadMs }: Timings): Timings {
  return {
    dnsMs: storableMs(dnsMs),
    connectMs: storableMs(connectMs),
    tlsMs: storableMs(tlsMs),
    firstByteMs: storableMs(firstByteMs),
    downloadMs: storableMs(downloadMs),
  };
}

function storableCertificate(certificate: SeenCertificate | null): SeenCertificate | null {
  if (certificate === null || certificate === 'unreadable') return certificate;
  const { subject, issuer, validFrom, validTo } = certificate;
  if (Number.isNaN(validFrom.getTime()) || Number.isNaN(validTo.getTime())) return 'unreadable';
  const name = (text: string) => plainText(text, MOST_NAME_CHARACTERS).trim();
  return { subject: name(subject), issuer: name(issuer), validFrom, validTo };
}

/**
 * Cleans an observation, so that PostgreSQL and JSON can store it. The evidence is not changed, because `evaluate` reads it and only what a verdict
 * quotes is stored.
 */
export function toStorable(seen: Observation): Observation {
  const { error, statusCode } = seen;
  return {
    ...seen,
    error: error === null ? null : plainText(error, MOST_ERROR_CHARACTERS),
    latencyMs: storableMs(seen.latencyMs) ?? 0,
    timings: storableTimings(seen.timings),
    certificate: storableCertificate(seen.certificate),
    statusCode: Number.isInteger(statusCode) ? statusCode : null,
  };
}

/** Cleans a verdict's cause, which may quote the target. */
export function toStorableVerdict(verdict: Verdict): Verdict {
  return { ...verdict, error: verdict.error === null ? null : plainText(verdict.error, MOST_ERROR_CHARACTERS) };
}

/** Replaces a result whose data the database rejects by one with the status unknown, which says nothing about the target. */
export function toUnknownResult(result: Result): Result & { finding: Finding } {
  const { at } = result.finding;
  const finding: Finding = { at, observation: null, verdict: { status: 'unknown', error: NOT_STORED } };
  return { ...result, finding };
}
