import { generateKeyPairSync, randomBytes } from 'node:crypto';

const pemOf = (der: Buffer, label = 'PRIVATE KEY') =>
  `-----BEGIN ${label}-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----`;

/** One DER value (X.690): its tag, its length and its content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** A DSA key whose public key, which OpenSSL computes as it reads the key, takes long to compute: `p` and `x` have this many bytes. */
export function dsaKey(pBytes: number, xBytes: number): string {
  const integer = (bytes: number) => der(2, Buffer.concat([Buffer.from([0x7f]), randomBytes(bytes - 1)]));
  const odd = der(2, Buffer.concat([Buffer.from([0x7f]), randomBytes(pBytes - 2), Buffer.from([0x01])]));
  const algorithm = der(0x30, Buffer.from('06072a8648ce380401', 'hex'), der(0x30, odd, integer(20), integer(pBytes)));
  return pemOf(der(0x30, der(2, Buffer.from([0])), algorithm, der(4, integer(xBytes))));
}

/** An RSA key with a modulus of 2,048 bits and a first prime of this many bytes, with which signing takes long. */
export function unbalancedRsaKey(pBytes: number): string {
  const jwk = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });
  const part = (text = '') => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'base64url')]);
  const p = Buffer.concat([Buffer.from([0x7f]), randomBytes(pBytes - 2), Buffer.from([0x01])]);
  const { n, e, d, q, dp, dq, qi } = jwk;
  const parts = [Buffer.from([0]), part(n), part(e), part(d), p, part(q), part(dp), part(dq), part(qi)];
  return pemOf(der(0x30, ...parts.map((each) => der(2, each))), 'RSA PRIVATE KEY');
}
