import net, { type LookupFunction, type Socket } from 'node:net';
import tls, { type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ResolvedAddress } from './dns/types';
import { connectionClosed } from './errors';
import { Handshake } from './handshake';
import { assertPort, normalizeHost } from './host';
import { type Asker, resolveTarget } from './resolve';
import { isPinned, secureContextOf, type TlsTrust } from './secure-context';
import type { Sockets } from './sockets';

export interface DialTarget {
  host: string;
  port: number;
  /** 0 for the family that answers first (RFC 8305). */
  family: 0 | 4 | 6;
  /** Null for plain TCP. `name` is the name that the certificate must have, if not the host's. */
  tls: (TlsTrust & { alpn?: string[]; name?: string }) | null;
}

/** The context of a connection: its caller, its owner, and callbacks for its phases. */
export interface DialFor {
  signal: AbortSignal;
  /** Null if the operator set the address: the system resolves it, and it may be private. */
  asker: Asker | null;
  sockets: Sockets;
  /** Called when name resolution ends; not called for a literal address. */
  onLookup?(): void;
  /** Called with the addresses that may be connected to, in the order of tries. */
  onResolve?(addresses: readonly { address: string }[]): void;
  onConnect?(family: 4 | 6, address: string, port: number): void;
  /** The handshake is complete. The certificate is not verified yet. */
  onSecure?(peer: PeerCertificate | null): void;
}

/**
 * Tries the next address after a delay; families alternate (RFC 8305). With Node's default of 250 ms, a distant server would be given up for good if
 * the next address cannot be reached.
 */
const tryingInTurn = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };

/** Options of `net.connect`, besides host and port, that connect to checked addresses without resolving the name again. */
function connectionTo(addresses: ResolvedAddress[]) {
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
  return { ...tryingInTurn, lookup };
}

/** Rejects if a socket closes before `event`. */
function rejectIfClosed(socket: Socket, event: 'connect' | 'secureConnect', reject: (error: Error) => void): void {
  const onClose = () => reject(connectionClosed());
  socket.once('close', onClose);
  socket.once(event, () => socket.off('close', onClose));
}

async function wayTo({ family }: DialTarget, host: string, { asker, onLookup, onResolve }: DialFor) {
  if (!asker) return { ...tryingInTurn, ...(family !== 0 && { family }) };
  const onEnd = () => (net.isIP(host) === 0 ? onLookup?.() : undefined);
  const addresses = await resolveTarget(host, { ...asker, family }).finally(onEnd);
  onResolve?.(addresses);
  return connectionTo(addresses);
}

async function connect(target: DialTarget, host: string, use: DialFor): Promise<Socket> {
  const { port } = target;
  assertPort(port);
  const way = await wayTo(target, host, use);
  use.signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const socket = net.connect({ ...way, host, port, noDelay: true });
    use.sockets.own(socket);
    socket.once('error', reject);
    rejectIfClosed(socket, 'connect', reject);
    socket.once('connect', () => {
      use.onConnect?.(socket.remoteFamily === 'IPv6' ? 6 : 4, socket.remoteAddress ?? host, port);
      resolve(socket);
    });
  });
}

/** Matches the names of a certificate. Returns the error if they do not match, or cannot be read. */
function checkName(wanted: string, certificate: PeerCertificate): Error | undefined {
  try {
    return tls.checkServerIdentity(wanted, certificate);
  } catch (error) {
    return Object.assign(new Error('unreadable names', { cause: error }), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  }
}

function encrypt(
  socket: Socket,
  host: string,
  { alpn, name = host, ...trust }: NonNullable<DialTarget['tls']>,
  use: DialFor,
): Promise<TLSSocket> {
  const { verify, pin } = trust;
  return new Promise((resolve, reject) => {
    const secureContext = secureContextOf(trust);
    let peer: PeerCertificate | null = null;
    const handshake = use.asker && new Handshake(socket, use.asker);
    const secured = tls.connect({
      socket: handshake ?? socket,
      secureContext,
      // The result is verified below, before anything is sent, so that a rejected certificate is still stored.
      rejectUnauthorized: false,
      ...(net.isIP(name) === 0 && { servername: name }),
      host: name,
      ...(alpn && { ALPNProtocols: alpn }),
      checkServerIdentity: (wanted, certificate) => {
        peer = certificate;
        return checkName(wanted, certificate);
      },
    });
    use.sockets.ownSecured(socket, secured, handshake);
    secured.once('error', reject);
    rejectIfClosed(secured, 'secureConnect', reject);
    secured.once('secureConnect', () => {
      handshake?.done();
      const certificate = peer ?? secured.getPeerCertificate();
      use.onSecure?.(certificate);
      // Node's types say Error; it is the code if there is one.
      const refused = secured.authorizationError as unknown as string | Error | undefined;
      const isRefused = verify && !secured.authorized && refused;
      if (!isRefused && isPinned(pin, certificate.fingerprint256)) return resolve(secured);
      const code = !isRefused ? 'CERT_NOT_PINNED' : typeof refused === 'string' ? refused : refused.message;
      secured.destroy(Object.assign(new Error(code), { code }));
    });
  });
}

/**
 * Upgrades a plain connection of `dial` to TLS, as STARTTLS does. The caller must have stopped reading from it.
 * @throws the signal's reason or the socket's error
 */
export function startTls(
  socket: Socket,
  target: Pick<DialTarget, 'host'> & { tls: NonNullable<DialTarget['tls']> },
  use: DialFor,
): Promise<TLSSocket> {
  use.signal.throwIfAborted();
  return encrypt(socket, normalizeHost(target.host), target.tls, use);
}

/**
 * Opens a new connection to a checked address, optionally over TLS. `use.sockets` owns it from the start, counts its input and closes it.
 * @throws BlockedTargetError, InvalidTargetError, DnsError, the signal's reason or the socket's error
 */
export async function dial(target: DialTarget, use: DialFor): Promise<Socket> {
  use.signal.throwIfAborted();
  const host = normalizeHost(target.host);
  const socket = await connect(target, host, use);
  return target.tls ? encrypt(socket, host, target.tls, use) : socket;
}
