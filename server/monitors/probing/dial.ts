import type { Socket } from 'node:net';
import { type DialTarget, dial as guardedDial } from '@/server/platform/net';
import type { Attempt } from './attempt';
import { readCertificate } from './read-certificate';

/**
 * A fresh connection to a checked address, with its phases timed and, over TLS, its certificate noted on the attempt, which
 * closes it. Rejects with BlockedTargetError, InvalidTargetError, DnsError or the socket's error.
 */
export function dial(target: DialTarget, attempt: Attempt): Promise<Socket> {
  let from = attempt.now();
  const { signal, sockets, asker } = attempt;
  return guardedDial(target, {
    signal,
    sockets,
    asker,
    onLookup() {
      from = attempt.spent('dnsMs', from);
    },
    onConnect(family) {
      from = attempt.spent('connectMs', from);
      attempt.family = family;
    },
    onSecure(peer) {
      attempt.spent('tlsMs', from);
      attempt.certificate = readCertificate(peer);
    },
  });
}
