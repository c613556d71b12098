import type { Certificate, Observation } from '@/server/monitors/probing/observation';
import { endsSoon, inWords } from '@/server/monitors/types/certificate-expiry';

interface CertificateFacts {
  subject: string;
  issuer: string;
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
}

/** A certificate as it is stored with a monitor's state: the one that was seen last. */
export interface KeptCertificate extends CertificateFacts {
  /** Since when every check saw this one. */
  since: string;
  /** While not all of the last checks saw the same: which ones, and which of them each check saw, as digits, the latest last. */
  mix?: { all: CertificateFacts[]; recent: string };
}

export interface CertificateState {
  certificate: KeptCertificate | null;
  /** That it ends soon was told, and that it does not any more was not. */
  certificateWarned: boolean;
}

export type CertificateChange = { kind: 'warn'; cause: string } | { kind: 'clear' };

/** A certificate that was served alone is replaced once another one has been seen this long, and more than once. */
const GOOD_FOR_MS = 600_000;
/**
 * Where several servers have different ones, each of so many checks must have seen another one. One server of ten goes
 * unseen for as long in one of 30,000 times.
 */
const MOST_RECENT = 100;
/** So many checks are named in a message. */
const NAMED = 30;
const MOST_CERTIFICATES = 10;

function isSame(a: CertificateFacts, b: CertificateFacts): boolean {
  return a.subject === b.subject && a.issuer === b.issuer && a.validFrom === b.validFrom && a.validTo === b.validTo;
}

function toFacts({ subject, issuer, validFrom, validTo }: Certificate): CertificateFacts {
  return { subject, issuer, validFrom: validFrom.toISOString(), validTo: validTo.toISOString() };
}

/** What the last checks saw, before this one. The checks since a certificate is seen alone are not counted, but known by their interval. */
function mixBefore({ mix, since, ...facts }: KeptCertificate, at: Date, everyMs: number) {
  if (mix) return mix;
  const checks = Math.floor((at.getTime() - Date.parse(since)) / everyMs);
  return { all: [facts], recent: '0'.repeat(Math.min(Math.max(1, checks), NAMED)) };
}

/** Adds what a check saw. Of more than ten certificates, the one that was not seen for longest is forgotten. */
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

/** The certificate to keep. The same object where nothing is new: most checks see what all the last ones saw. */
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

/** How many of the last checks saw a certificate, where others saw another one. */
function countInWords({ mix, ...facts }: KeptCertificate): string {
  if (!mix) return '';
  const digit = String(mix.all.findIndex((each) => isSame(each, facts)));
  const last = [...mix.recent.slice(-NAMED)];
  const count = last.filter((each) => each === digit).length;
  return count === last.length ? '' : `. Seen in ${count} of the last ${last.length} checks`;
}

/** Whether what is kept shows that none that ends soon is served any more. */
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
 * What a check's certificate makes of what was known, and what is to be told: once that one which is served ends soon, once that
 * none does any more. Nothing follows from a check that failed before the handshake, or from dates that cannot be read; a check
 * that went well without TLS shows that there is no certificate any more.
 *
 * @param everyMs how often the monitor is checked
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
