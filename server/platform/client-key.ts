import { createPrivateKey, type KeyObject } from 'node:crypto';

const PEM = /^-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([A-Za-z0-9+/\s]+={0,2})\s*-----END \1PRIVATE KEY-----$/;

/** The longest private key that is read, in characters. An RSA key of 4,096 bits has 3,300. */
const MOST_CHARACTERS = 8 * 1024;
/** Each handshake signs with the key on this thread: 4,096 bits take 5 ms, and 16,384 bits a fifth of a second. */
const MOST_RSA_BITS = 4_096;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

/**
 * The start of a PKCS #8 key (RFC 5958) of RSA, an elliptic curve, Ed25519 or Ed448: a sequence of the version and the algorithm. Reading a key of
 * another algorithm may compute its public key, which takes hours for a long DSA key.
 */
const PKCS8 =
  /^30(?:[0-7].|81..|82....)02010[01]30(?:[0-7].|81..)06(?:092a864886f70d010101|072a8648ce3d0201|032b657[01])/;

function read(pem: string): KeyObject | null {
  const [, label, base64] = pem.length <= MOST_CHARACTERS ? (PEM.exec(pem.trim()) ?? []) : [];
  if (label === undefined || base64 === undefined) return null;
  // OpenSSL reads exactly the bytes that were looked at.
  const key = Buffer.from(base64, 'base64');
  if (label !== '') return createPrivateKey({ key, format: 'der', type: label === 'RSA ' ? 'pkcs1' : 'sec1' });
  if (!PKCS8.test(key.subarray(0, 40).toString('hex'))) return null;
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function isUsable({ asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0, namedCurve = '' } = {} }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return modulusLength <= MOST_RSA_BITS;
  return asymmetricKeyType === 'ec' ? CURVES.includes(namedCurve) : true;
}

/**
 * Returns the private key of a client certificate: RSA up to 4,096 bits, P-256, P-384, P-521, Ed25519 or Ed448, without a passphrase (RFC 7468).
 * Reading takes a few milliseconds at most. Null if it cannot be read or is of another kind.
 */
export function readClientKey(pem: string): KeyObject | null {
  try {
    const key = read(pem);
    return key && isUsable(key) ? key : null;
  } catch {
    return null;
  }
}
