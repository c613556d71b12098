import type { Socket } from 'node:net';
import { type DialTarget, dial as guardedDial, startTls as guardedStartTls } from '@/server/platform/net';
import type { Attempt } from './attempt';
import { readCertificate } from './read-certificate';

/** The callbacks of a connection: they time its phases and store its certificate on the attempt, which closes the connection. */
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
 * A new connection to a checked address, optionally over TLS. Rejects with BlockedTargetError, InvalidTargetError, DnsError or the socket's error.
 */
export function dial(target: DialTarget, attempt: Attempt): Promise<Socket> {
  return guardedDial(target, watching(attempt));
}

/** Upgrades a plain connection to TLS (STARTTLS) and verifies the certificate. Rejects with the socket's error. */
export function startTls(socket: Socket, host: string, attempt: Attempt): Promise<Socket> {
  return guardedStartTls(socket, { host, tls: { verify: true } }, watching(attempt));
}
