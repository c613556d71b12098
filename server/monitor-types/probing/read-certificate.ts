import type { PeerCertificate } from 'node:tls';
import type { SeenCertificate } from './observation';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DATE = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d+)? (\d{1,4}) GMT$/;

/** A date as OpenSSL prints it; null if it is invalid ("Bad time value"). `Date.parse` reads the year 50 as 2050. */
function readDate(text: unknown): Date | null {
  const [, month = '', day, hours, minutes, seconds, year] = DATE.exec(String(text)) ?? [];
  const at = new Date(0);
  at.setUTCFullYear(Number(year), MONTHS.indexOf(month), Number(day));
  at.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || !MONTHS.includes(month) ? null : at;
}

/** A certificate may contain a field repeatedly. */
const MOST_NAMES = 20;

function nameIn(names: PeerCertificate['subject'] | undefined): string {
  const { CN, O } = (names ?? {}) as { CN?: string | string[]; O?: string | string[] };
  return [CN ?? O ?? ''].flat().slice(0, MOST_NAMES).join(', ');
}

/** The data of a server's certificate; null without one. */
export function readCertificate(peer: PeerCertificate | null): SeenCertificate | null {
  if (!peer?.valid_to) return null;
  const validFrom = readDate(peer.valid_from);
  const validTo = readDate(peer.valid_to);
  if (!validFrom || !validTo) return 'unreadable';
  return { subject: nameIn(peer.subject), issuer: nameIn(peer.issuer), validFrom, validTo };
}
