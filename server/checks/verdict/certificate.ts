import type { Certificate, Observation } from '@/server/monitors/probing/observation';
import { endsSoon, inWords } from '@/server/monitors/types/certificate-expiry';

/** A certificate as it is stored with a monitor's state; times in ISO 8601. */
export interface KeptCertificate {
  subject: string;
  issuer: string;
  validFrom: string;
  validTo: string;
  /** Since when every check saw this one. */
  since: string;
}

export interface CertificateState {
  certificate: KeptCertificate | null;
  /** That it ends soon was told, and that it does not any more was not. */
  certificateWarned: boolean;
}

export type CertificateChange = { kind: 'warn'; cause: string } | { kind: 'clear' };

/** Servers behind one name may have different certificates: the good one must be seen this long, and more than once. */
const GOOD_FOR_MS = 600_000;

function keep(before: KeptCertificate | null, seen: Certificate, at: Date): KeptCertificate {
  const { subject, issuer } = seen;
  const now = { subject, issuer, validFrom: seen.validFrom.toISOString(), validTo: seen.validTo.toISOString() };
  const isSame =
    before?.subject === subject &&
    before.issuer === issuer &&
    before.validFrom === now.validFrom &&
    before.validTo === now.validTo;
  return isSame ? before : { ...now, since: at.toISOString() };
}

/**
 * What a check's certificate makes of what was known, and what is to be told: once that it ends soon, once that another one is in
 * its place. Nothing follows from a check that failed before the handshake, or from dates that cannot be read; a check that went well
 * without TLS shows that there is no certificate any more.
 */
export function watchCertificate(
  state: CertificateState,
  { certificate: seen, outcome }: Pick<Observation, 'certificate' | 'outcome'>,
  warnDays: number,
  at: Date,
): { state: CertificateState; change: CertificateChange | null } {
  const { certificate: before, certificateWarned } = state;
  if (seen === 'unreadable' || (!seen && outcome !== 'ok')) return { state, change: null };
  if (!seen) {
    const change = certificateWarned ? ({ kind: 'clear' } as const) : null;
    return { state: { certificate: null, certificateWarned: false }, change };
  }
  const certificate = keep(before, seen, at);
  if (endsSoon(seen.validTo, warnDays, at)) {
    const cause = `${inWords(seen.validTo, at)}. Subject: ${seen.subject || 'none'}; issuer: ${seen.issuer || 'none'}`;
    const change = certificateWarned ? null : ({ kind: 'warn', cause } as const);
    return { state: { certificate, certificateWarned: true }, change };
  }
  const isSettled = certificate === before && at.getTime() - Date.parse(before.since) >= GOOD_FOR_MS;
  if (!certificateWarned || !isSettled) return { state: { certificate, certificateWarned }, change: null };
  return { state: { certificate, certificateWarned: false }, change: { kind: 'clear' } };
}
