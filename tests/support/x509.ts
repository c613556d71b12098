import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { selfSignedCertificate } from './certificate';
import type { ServerCertificate } from './certificates';

// Certificates encoded byte by byte (RFC 5280, X.690), so that they can contain what no tool writes.

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OID = 0x06;
const UTF8 = 0x0c;
const GENERALIZED_TIME = 0x18;

/** A DER value: tag, length, bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(OID, Buffer.from([first * 40 + second, ...bytes]));
}

const attribute = (type: string, value: Buffer) => der(SET, der(SEQUENCE, oid(type), der(UTF8, value)));

export interface CertificateText {
  /** The common name of subject and issuer; several names make several attributes. */
  name?: (string | Buffer)[];
  /** The validity dates, verbatim: "20330101000000Z" is a valid one. */
  notBefore?: string;
  notAfter?: string;
  /** Its names (subjectAltName, dNSName), any bytes. */
  alternatives?: (string | Buffer)[];
  /** Its key, in place of an elliptic one. The certificate is signed by the elliptic one, so a client that verifies it refuses it. */
  key?: KeyObject;
}

const nameOf = (...names: (string | Buffer)[]) =>
  der(SEQUENCE, ...names.map((each) => attribute('2.5.4.3', Buffer.from(each))));
const bits = (content: Buffer) => der(BIT_STRING, Buffer.from([0]), content);

interface Written {
  algorithm: Buffer;
  issuer: Buffer;
  subject: Buffer;
  spki: Buffer;
  notBefore?: string;
  notAfter?: string;
  extensions?: Buffer[];
  signed: (body: Buffer) => Buffer;
}

/** A certificate as PEM. */
function toPem({ algorithm, issuer, subject, spki, extensions = [], signed, ...times }: Written): string {
  const { notBefore = '20200101000000Z', notAfter = '21190101000000Z' } = times;
  const time = (text: string) => der(GENERALIZED_TIME, Buffer.from(text, 'latin1'));
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    issuer,
    der(SEQUENCE, time(notBefore), time(notAfter)),
    subject,
    spki,
    ...(extensions.length > 0 ? [der(0xa3, der(SEQUENCE, ...extensions))] : []),
  );
  const lines =
    der(SEQUENCE, body, algorithm, bits(signed(body)))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A self-signed certificate with exactly these values, valid or not, and its key. */
export function writeCertificate({
  name = ['localhost'],
  alternatives = ['localhost'],
  key,
  ...times
}: CertificateText): ServerCertificate {
  const signer = createPrivateKey(selfSignedCertificate.key);
  const general = alternatives.map((each) => der(0x82, Buffer.from(each)));
  const extension = der(SEQUENCE, oid('2.5.29.17'), der(OCTET_STRING, der(SEQUENCE, ...general)));
  const cert = toPem({
    algorithm: der(SEQUENCE, oid('1.2.840.10045.4.3.2')),
    issuer: nameOf(...name),
    subject: nameOf(...name),
    spki: createPublicKey(key ?? signer).export({ format: 'der', type: 'spki' }),
    extensions: alternatives.length > 0 ? [extension] : [],
    signed: (body) => sign('sha256', body, signer),
    ...times,
  });
  return { key: key?.export({ type: 'pkcs8', format: 'pem' }).toString() ?? selfSignedCertificate.key, cert };
}

/** OpenSSL accepts exponents as long as the modulus up to this length. */
const COSTLY_KEY_BYTES = 3_072 / 8;

/** A number of that length, with its first and last bit, below those that begin with 0xff. */
function longNumber(first: number): Buffer {
  const bytes = randomBytes(COSTLY_KEY_BYTES);
  bytes[0] = first;
  bytes[bytes.length - 1] = 0x01;
  return bytes;
}

/**
 * A certificate with a chain of `length` issuers, 1.3 KiB each. Their keys have exponents as long as the modulus, so that verifying one takes as long as a
 * private operation without its shortcuts. No signature is valid, which a client notices only by computing it.
 */
export function writeCostlyChain(length: number): ServerCertificate {
  const rsa = der(SEQUENCE, oid('1.2.840.113549.1.1.11'), Buffer.from([0x05, 0x00]));
  const rsaKey = der(SEQUENCE, oid('1.2.840.113549.1.1.1'), Buffer.from([0x05, 0x00]));
  const positive = (number: Buffer) => der(INTEGER, Buffer.from([0]), number);
  const costly = () =>
    der(SEQUENCE, rsaKey, bits(der(SEQUENCE, positive(longNumber(0xff)), positive(longNumber(0xfe)))));
  const leaf = createPublicKey(createPrivateKey(selfSignedCertificate.key)).export({ format: 'der', type: 'spki' });
  const certificates = Array.from({ length: length + 1 }, (_, index) =>
    toPem({
      algorithm: rsa,
      issuer: nameOf(`issuer ${index + 1}`),
      subject: nameOf(`issuer ${index}`),
      spki: index === 0 ? leaf : costly(),
      signed: () => longNumber(0x01),
    }),
  );
  return { key: selfSignedCertificate.key, cert: certificates.join('') };
}
