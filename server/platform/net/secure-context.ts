import { constants, createHash } from 'node:crypto';
import tls, { type SecureContext } from 'node:tls';
import { readClientKey } from '../client-key';
import { SizedCache } from '../sized-cache';
import { InvalidTargetError } from './errors';

/** Which certificates a connection accepts, and the one that it presents. */
export interface TlsTrust {
  /** False accepts any certificate. */
  verify: boolean;
  /** The authorities that are trusted instead of the public ones, in PEM form. */
  ca?: string | undefined;
  /** The SHA-256 fingerprint that the certificate must have, also if it is not verified. Colons and case do not count. */
  pin?: string | undefined;
  /** The client certificate with its chain, and its private key, in PEM form. */
  cert?: string | undefined;
  key?: string | undefined;
}

/** As in browsers, there is no finite-field Diffie-Hellman: the server chooses the group, and one of 10,000 bits takes this thread 1 s per handshake. */
const settings = {
  ciphers: `${tls.DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  // A TLS 1.2 server could renegotiate later, and only the handshake is limited.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** The context of most connections, created once: loading the trusted roots for every connection would cost more than the rest of a check. */
const usual = tls.createSecureContext(settings);

/** Contexts with certificates of monitors, by the hash of those. */
const own = new SizedCache<SecureContext>({ entries: 500, size: 8 * 1024 * 1024 });

/**
 * Returns the TLS settings of a connection.
 * @throws InvalidTargetError if the client certificate cannot be used with the key
 */
export function secureContextOf({ ca, cert, key }: TlsTrust): SecureContext {
  if (ca === undefined && cert === undefined) return usual;
  const given = JSON.stringify([ca, cert, key]);
  const id = createHash('sha256').update(given).digest('base64');
  const known = own.get(id);
  if (known) return known;
  try {
    const usable = key === undefined ? undefined : readClientKey(key)?.export({ type: 'pkcs8', format: 'pem' });
    if (usable === undefined && key !== undefined) throw new Error('The key is of a kind that is not used');
    const context = tls.createSecureContext({ ...settings, ca, cert, key: usable });
    own.set(id, context, given.length);
    return context;
  } catch (error) {
    throw new InvalidTargetError('The client certificate of this monitor cannot be used with its key', {
      cause: error,
    });
  }
}

const bare = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();

/** Whether a certificate has the pinned fingerprint, or none is pinned. */
export const isPinned = (pin: string | undefined, fingerprint: string | undefined): boolean =>
  pin === undefined || bare(pin) === bare(fingerprint ?? '');
