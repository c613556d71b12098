import net, { type Socket } from 'node:net';
import tls, { type PeerCertificate, type TLSSocket } from 'node:tls';
import { assertAllowedHost, assertPort, DnsError, guardedConnection, normalizeHost } from '@/server/platform/net';
import type { Certificate } from '../types';
import type { Attempt } from './attempt';

export interface Target {
  host: string;
  port: number;
  /** 0 for whichever family answers first (RFC 8305). */
  family: 0 | 4 | 6;
  /** Null for plain TCP; `verify` false accepts any certificate; `name` is whose it must be, where not the host's. */
  tls: { verify: boolean; alpn?: string[]; name?: string } | null;
}

/** Made once: loading the trusted roots for every connection would cost more than the rest of a check. */
const secureContext = tls.createSecureContext();

/** Destroys the socket when the signal aborts. */
function bindTo(signal: AbortSignal, socket: Socket): void {
  const stop = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  socket.once('close', () => signal.removeEventListener('abort', stop));
}

function connect({ port, family }: Target, host: string, attempt: Attempt): Promise<Socket> {
  assertPort(port);
  assertAllowedHost(host);
  const literal = net.isIP(host);
  if (literal !== 0 && family !== 0 && literal !== family) {
    throw new DnsError('ENOTFOUND', `The address is not an IPv${family} address`);
  }
  return new Promise((resolve, reject) => {
    let from = performance.now();
    const socket = net.connect({ ...guardedConnection, host, port, noDelay: true, ...(family !== 0 && { family }) });
    bindTo(attempt.signal, socket);
    if (literal === 0) {
      socket.once('lookup', () => {
        from = attempt.spent('dnsMs', from);
      });
    }
    // Stays for the socket's life: an error after the exchange must not end the process.
    socket.on('error', reject);
    socket.once('connect', () => {
      attempt.spent('connectMs', from);
      attempt.family = socket.remoteFamily === 'IPv6' ? 6 : 4;
      resolve(socket);
    });
  });
}

function nameIn(names: PeerCertificate['subject'] | undefined): string {
  const { CN, O } = (names ?? {}) as { CN?: string | string[]; O?: string | string[] };
  return [CN ?? O ?? ''].flat().join(', ');
}

function toCertificate(peer: PeerCertificate | null): Certificate | null {
  if (!peer?.valid_to) return null;
  return {
    subject: nameIn(peer.subject),
    issuer: nameIn(peer.issuer),
    validFrom: new Date(peer.valid_from),
    validTo: new Date(peer.valid_to),
  };
}

function encrypt(
  socket: Socket,
  host: string,
  { verify, alpn, name = host }: NonNullable<Target['tls']>,
  attempt: Attempt,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    let peer: PeerCertificate | null = null;
    const secured = tls.connect({
      socket,
      secureContext,
      // Judged below, before anything is sent: a refused certificate is still worth seeing.
      rejectUnauthorized: false,
      ...(net.isIP(name) === 0 && { servername: name }),
      host: name,
      ...(alpn && { ALPNProtocols: alpn }),
      checkServerIdentity: (wanted, certificate) => {
        peer = certificate;
        return tls.checkServerIdentity(wanted, certificate);
      },
    });
    bindTo(attempt.signal, secured);
    secured.on('error', reject);
    secured.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    secured.once('secureConnect', () => {
      attempt.spent('tlsMs', from);
      attempt.certificate = toCertificate(peer ?? secured.getPeerCertificate());
      // Node's types say Error; it is the code where there is one.
      const refused = secured.authorizationError as unknown as string | Error | undefined;
      if (!verify || secured.authorized || !refused) return resolve(secured);
      const code = typeof refused === 'string' ? refused : refused.message;
      secured.destroy(Object.assign(new Error(code), { code }));
    });
  });
}

/**
 * A fresh connection to a checked address, with its phases timed and, over TLS, its certificate noted on the attempt.
 * The attempt's signal destroys it. Rejects with BlockedTargetError, InvalidTargetError, DnsError or the socket's error.
 */
export async function dial(target: Target, attempt: Attempt): Promise<Socket> {
  attempt.signal.throwIfAborted();
  const host = normalizeHost(target.host);
  const socket = await connect(target, host, attempt);
  if (!target.tls) return socket;
  try {
    return await encrypt(socket, host, target.tls, attempt);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
