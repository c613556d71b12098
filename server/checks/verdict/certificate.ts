import { endsSoon, inWords } from '@/server/monitor-types/certificate-expiry';
import type { Certificate, Observation } from '@/server/monitor-types/probing/observation';

interface CertificateFacts {
  subject: string;
  issuer: string;
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
}

/** The certificate that a monitor's checks saw last, as stored with its state. */
export interface KeptCertificate extends CertificateFacts {
  /** Since when every check saw this one. */
  since: string;
  /** Set while recent checks saw different certificates: all of them, and for each check the index of the one that it saw, as digits, latest last. */
  mix?: { all: CertificateFacts[]; recent: string };
}

export interface CertificateState {
  certificate: KeptCertificate | null;
  /** Whether a warning about its expiry was sent and its replacement was not reported yet. */
  certificateWarned: boolean;
}

export type CertificateChange = { kind: 'warn'; cause: string } | { kind: 'clear' };

/** If all checks saw the same certificate, it counts as replaced once another one has been seen for this long, and more than once. */
const GOOD_FOR_MS = 600_000;
/**
 * If servers have different certificates, one counts as replaced after this many checks without it. The probability that so many checks miss one
 * server of ten is 1 in 30,000.
 */
const MOST_RECENT = 100;
/** The number of checks that a message refers to. */
const NAMED = 30;
const MOST_CERTIFICATES = 10;

function isSame(a: CertificateFacts, b: CertificateFacts): boolean {
  return a.subject === b.subject && a.issuer === b.issuer && a.validFrom === b.validFrom && a.validTo === b.validTo;
}

function toFacts({ subject, issuer, validFrom, validTo }: Certificate): CertificateFacts {
  return { subject, issuer, validFrom: validFrom.toISOString(), validTo: validTo.toISOString() };
}

/** Returns the checks before `at`. While all see the same certificate they are not stored, so their number is computed from the interval. */
function mixBefore({ mix, since, ...facts }: KeptCertificate, at: Date, everyMs: number) {
  if (mix) return mix;
  const checks = Math.floor((at.getTime() - Date.parse(since)) / everyMs);
  return { all: [facts], recent: '0'.repeat(Math.min(Math.max(1, checks), NAMED)) };
}

/** Adds the certificate that a check saw. Of more than ten, the one seen least recently is dropped. */
function addTo({ all, recent }: { all: CertificateFacts[]; recent: string }, seen: CertificateFacts) {
  const found = all.findIndex((each) => isSame(each, seen));
  if (found >= 0) return { all, recent: `${recent}${found}`.slice(-MOST_RECENT) };
  if (all.length < MOST_CERTIFICATES) {
    return { all: [...all, seen], recent: `${recent}${all.length}`.slice(-MOST_RECENT) };
  }
  const lastSeen = all.map((_, index) => recent.lastIndexOf(String(index)));
  const oldest = lastSeen.indexOf(Math.min(...lastSeen));
  const kept = recent.replaceAll(String(oldest), '');
  return { all: all.with(oldest, seen), recent: `${kept}${oldest}`.slice(-MOST_RECENT) };
}

/** Returns the certificate to store after a check saw `seen`: the same object if nothing changed, as after most checks. */
function keep(before: KeptCertificate | null, seen: Certificate, at: Date, everyMs: number): KeptCertificate {
  const facts = toFacts(seen);
  if (!before) return { ...facts, since: at.toISOString() };
  const isAgain = isSame(before, facts);
  if (isAgain && !before.mix) return before;
  const mix = addTo(mixBefore(before, at, everyMs), facts);
  const since = isAgain ? before.since : at.toISOString();
  const isMixed = mix.recent.length < MOST_RECENT || [...mix.recent].some((digit) => digit !== mix.recent[0]);
  return isMixed ? { ...facts, since, mix } : { ...facts, since };
}

/** Describes how many of the last checks saw the certificate. Returns '' if all did. */
function countInWords({ mix, ...facts }: KeptCertificate): string {
  if (!mix) return '';
  const digit = String(mix.all.findIndex((each) => isSame(each, facts)));
  const last = [...mix.recent.slice(-NAMED)];
  const count = last.filter((each) => each === digit).length;
  return count === last.length ? '' : `. Seen in ${count} of the last ${last.length} checks`;
}

/** Returns whether, by the recent checks, no server presents a certificate that expires soon any more. */
function isReplaced(certificate: KeptCertificate, before: KeptCertificate | null, warnDays: number, at: Date): boolean {
  const isSettled = before?.since === certificate.since && at.getTime() - Date.parse(before.since) >= GOOD_FOR_MS;
  if (!certificate.mix) return isSettled;
  const { all, recent } = certificate.mix;
  const endSoon = all.map(({ validTo }) => endsSoon(new Date(validTo), warnDays, at));
  const each = [...recent].map((digit) => endSoon[Number(digit)] === true);
  const last = each.lastIndexOf(true);
  const wasAlone = recent.length < MOST_RECENT && each.slice(0, last).every(Boolean);
  return last < 0 || (isSettled && wasAlone);
}

/**
 * Returns the state after a check, and the change to report: a warning once a certificate expires soon, and its end once none does. A check that
 * failed before the handshake, or a certificate with unreadable dates, changes nothing. A passing check without TLS shows that there is no
 * certificate any more.
 * @param everyMs the interval of the monitor's checks
 */
export function watchCertificate(
  state: CertificateState,
  { certificate: seen, outcome }: Pick<Observation, 'certificate' | 'outcome'>,
  warnDays: number,
  at: Date,
  everyMs: number,
): { state: CertificateState; change: CertificateChange | null } {
  const { certificate: before, certificateWarned } = state;
  if (seen === 'unreadable' || (!seen && outcome !== 'ok')) return { state, change: null };
  if (!seen) {
    const change = certificateWarned ? ({ kind: 'clear' } as const) : null;
    return { state: { certificate: null, certificateWarned: false }, change };
  }
  const certificate = keep(before, seen, at, everyMs);
  if (endsSoon(seen.validTo, warnDays, at)) {
    const whose = `Subject: ${seen.subject || 'none'}; issuer: ${seen.issuer || 'none'}`;
    const cause = `${inWords(seen.validTo, at)}. ${whose}${countInWords(certificate)}`;
    const change = certificateWarned ? null : ({ kind: 'warn', cause } as const);
    return { state: { certificate, certificateWarned: true }, change };
  }
  if (!certificateWarned || !isReplaced(certificate, before, warnDays, at)) {
    return { state: { certificate, certificateWarned }, change: null };
  }
  return { state: { certificate, certificateWarned: false }, change: { kind: 'clear' } };
}
