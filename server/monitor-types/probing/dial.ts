import type { Socket } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import {
  type DialTarget,
  dial as guardedDial,
  startTls as guardedStartTls,
  type TlsTrust,
} from '@/server/platform/net';
import type { Attempt } from './attempt';
import type { SeenCertificate } from './observation';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DATE = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d+)? (\d{1,4}) GMT$/;

/**
 * Parses a date as OpenSSL prints it; null if it is invalid ("Bad time value"). Does not use `Date.parse`, because that reads the year 50 as 2050.
 */
function readDate(text: unknown): Date | null {
  const [, month = '', day, hours, minutes, seconds, year] = DATE.exec(String(text)) ?? [];
  const at = new Date(0);
  at.setUTCFullYear(Number(year), MONTHS.indexOf(month), Number(day));
  at.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || !MONTHS.includes(month) ? null : at;
}

/** The maximum number of values of a field that are read, because a certificate may contain a field repeatedly. */
const MOST_NAMES = 20;

function nameIn(names: PeerCertificate['subject'] | undefined): string {
  const { CN, O } = (names ?? {}) as { CN?: string | string[]; O?: string | string[] };
  return [CN ?? O ?? ''].flat().slice(0, MOST_NAMES).join(', ');
}

/** Returns the data of a server's certificate; null without one, `unreadable` if its dates are invalid. */
export function readCertificate(peer: PeerCertificate | null): SeenCertificate | null {
  if (!peer?.valid_to) return null;
  const validFrom = readDate(peer.valid_from);
  const validTo = readDate(peer.valid_to);
  if (!validFrom || !validTo) return 'unreadable';
  return { subject: nameIn(peer.subject), issuer: nameIn(peer.issuer), validFrom, validTo };
}

/** Returns the callbacks of a connection, which time its phases and store its certificate on the attempt. */
function watching(attempt: Attempt) {
  let from = attempt.now();
  const { signal, sockets, asker } = attempt;
  return {
    signal,
    sockets,
    asker,
    onLookup() {
      from = attempt.spent('dnsMs', from);
    },
    onResolve(addresses: readonly { address: string }[]) {
      attempt.trace.addresses = addresses;
    },
    onConnect(family: 4 | 6, address: string, port: number) {
      from = attempt.spent('connectMs', from);
      attempt.family = family;
      attempt.trace.connections.push({ address, port, error: null });
    },
    onSecure(peer: Parameters<typeof readCertificate>[0]) {
      attempt.spent('tlsMs', from);
      attempt.certificate = readCertificate(peer);
      attempt.trace.fingerprint = peer?.fingerprint256 ?? null;
    },
  };
}

/**
 * Opens a new connection to a checked address, optionally over TLS. The attempt closes it.
 * @throws BlockedTargetError, InvalidTargetError, DnsError or the socket's error
 */
export function dial(target: DialTarget, attempt: Attempt): Promise<Socket> {
  return guardedDial(target, watching(attempt));
}

/**
 * Upgrades a plain connection to TLS (STARTTLS).
 * @throws the socket's error
 */
export function startTls(socket: Socket, host: string, attempt: Attempt, trust: TlsTrust): Promise<Socket> {
  return guardedStartTls(socket, { host, tls: trust }, watching(attempt));
}
