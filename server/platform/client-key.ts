import { createPrivateKey, type KeyObject } from 'node:crypto';

const PEM = /^-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END \1PRIVATE KEY-----$/;

/** The longest private key that is read, in characters. An RSA key of 4,096 bits has 3,300. */
const MOST_CHARACTERS = 8 * 1024;
/** Each handshake signs with the key on this thread: 4,096 bits take 5 ms, and 16,384 bits a fifth of a second. */
const MOST_RSA_BITS = 4_096;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

/** The first bytes of a sequence. */
const SEQUENCE = '^30(?:[0-7].|81..|82....)';
/**
 * How keys start, in hexadecimal digits, by the label of their PEM form: RSA (RFC 8017), EC (RFC 5915), and PKCS #8 (RFC 5958) with the algorithm RSA,
 * EC, Ed25519 or Ed448. OpenSSL takes any form under any label, and computes the public key of some others, which takes hours for a long DSA key.
 */
const STARTS: Record<string, RegExp> = {
  'RSA ': new RegExp(`${SEQUENCE}02010002`),
  'EC ': new RegExp(`${SEQUENCE}02010104`),
  '': new RegExp(`${SEQUENCE}02010[01]30(?:[0-7].|81..)06(?:092a864886f70d010101|072a8648ce3d0201|032b657[01])`),
};
const TYPES = { 'RSA ': 'pkcs1', 'EC ': 'sec1', '': 'pkcs8' } as const;

function read(pem: string): KeyObject | null {
  const [, label, base64] = pem.length <= MOST_CHARACTERS ? (PEM.exec(pem.trim()) ?? []) : [];
  if (label === undefined || base64 === undefined) return null;
  // OpenSSL reads exactly the bytes that were looked at.
  const key = Buffer.from(base64, 'base64');
  if (!STARTS[label]?.test(key.subarray(0, 40).toString('hex'))) return null;
  return createPrivateKey({ key, format: 'der', type: TYPES[label as keyof typeof TYPES] });
}

/** Whether the parts of an RSA key are as long as its modulus requires: signing takes as long as the longest of them. */
function isBalanced(key: KeyObject): boolean {
  const { n = '', e = '', d = '', p = '', q = '', dp = '', dq = '', qi = '' } = key.export({ format: 'jwk' });
  const half = n.length / 2 + 2;
  return e.length <= 8 && d.length <= n.length && [p, q, dp, dq, qi].every(({ length }) => length <= half);
}

function isUsable(key: KeyObject): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = Infinity, namedCurve = '' } = {} } = key;
  if (type === 'rsa') return modulusLength <= MOST_RSA_BITS && isBalanced(key);
  return type === 'ec' ? CURVES.includes(namedCurve) : type === 'ed25519' || type === 'ed448';
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
