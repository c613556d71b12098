import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
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

/** A self-signed certificate with exactly these values, valid or not, and its key. */
export function writeCertificate({
  name = ['localhost'],
  notBefore = '20200101000000Z',
  notAfter = '21190101000000Z',
  alternatives = ['localhost'],
  key,
}: CertificateText): ServerCertificate {
  const signer = createPrivateKey(selfSignedCertificate.key);
  const spki = createPublicKey(key ?? signer).export({ format: 'der', type: 'spki' });
  const algorithm = der(SEQUENCE, oid('1.2.840.10045.4.3.2'));
  const names = der(SEQUENCE, ...name.map((each) => attribute('2.5.4.3', Buffer.from(each))));
  const time = (text: string) => der(GENERALIZED_TIME, Buffer.from(text, 'latin1'));
  const general = alternatives.map((each) => der(0x82, Buffer.from(each)));
  const extension = der(SEQUENCE, oid('2.5.29.17'), der(OCTET_STRING, der(SEQUENCE, ...general)));
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    names,
    der(SEQUENCE, time(notBefore), time(notAfter)),
    names,
    spki,
    ...(alternatives.length > 0 ? [der(0xa3, der(SEQUENCE, extension))] : []),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, signer));
  const lines =
    der(SEQUENCE, body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: key?.export({ type: 'pkcs8', format: 'pem' }).toString() ?? selfSignedCertificate.key,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----`,
  };
}
