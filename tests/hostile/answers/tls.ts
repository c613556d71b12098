import {
  expiredCertificate,
  otherNameCertificate,
  type ServerCertificate,
  trustedCertificate,
} from '@/tests/support/certificates';
import { type CertificateText, writeCertificate } from '@/tests/support/x509';
import { type Answer, always, type Expected, type Family, type Step } from '../answer';
import type { Random } from '../random';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nready';

const TEXTS: CertificateText[] = [
  { notAfter: '20331301000000Z' },
  { notAfter: '20330230000000Z' },
  { notAfter: '', notBefore: '' },
  { notAfter: 'never' },
  { notAfter: '00500101000000Z' },
  { notBefore: '99991231235959Z', notAfter: '99991231235959Z' },
  { notAfter: '20330101000000.5Z' },
  { notAfter: '20330101000000+1400' },
  { name: ['shop\u0000.example.test'] },
  { name: ['\u001b[2J\u001b]0;x\u0007\u202e\r\n'] },
  { name: [''] },
  { name: [] },
  { name: ['x'.repeat(30_000)] },
  { name: Array<string>(1_500).fill('shop') },
  { name: ['__proto__', 'constructor', 'toString'] },
  { alternatives: [] },
  { alternatives: [Buffer.from([0xff, 0x00, 0x22]), "'\\", '*'] },
  { alternatives: Array.from({ length: 2_000 }, (_, index) => `${index}.example.test`) },
];

/** An answer over TLS with this certificate. */
const secure = (name: string, certificate: ServerCertificate, expected: Expected): Answer => ({
  name,
  expected: always(expected),
  tls: { ...certificate, ALPNProtocols: ['h2', 'http/1.1'] },
  replies: [OK],
});

/** Certificates that fail verification. */
export const certificates: Family[] = [
  (random) => secure('a certificate that makes no sense', writeCertificate(random.pick(TEXTS)), 'down'),
  () => secure('an expired certificate', expiredCertificate, 'down'),
  () => secure('a certificate for another name', otherNameCertificate, 'down'),
];

export const trusted: Family[] = [() => secure('a good certificate', trustedCertificate, 'up')];

const record = (type: number, payload: Buffer, length = payload.length) =>
  Buffer.concat([Buffer.from([type, 3, 3, length >> 8, length & 0xff]), payload]);
const message = (type: number, payload: Buffer, length = payload.length) =>
  Buffer.concat([Buffer.from([type, length >> 16, (length >> 8) & 0xff, length & 0xff]), payload]);

const raw = (name: string, ...replies: Step[]): Answer => ({ name, expected: always('down'), replies });
const HANDSHAKE = 22;

/** The fixed part of a ServerHello. */
function serverHello(random: Random): Buffer {
  const version = random.pick([0x0303, 0x0304, 0x0301, 0x0300, 0xffff]);
  const head = Buffer.concat([Buffer.from([version >> 8, version & 0xff]), random.bytes(32), Buffer.from([0])]);
  const suite = random.pick([0x1301, 0xc02f, 0x0000, 0xffff]);
  const extensions = random.bytes(random.below(40));
  return Buffer.concat([head, Buffer.from([suite >> 8, suite & 0xff, 0, 0, extensions.length]), extensions]);
}

/** Handshakes that never complete. */
export const handshakes: Record<string, Family> = {
  plain: (r) =>
    raw('no TLS at all', r.pick(['HTTP/1.1 400 Bad Request\r\n\r\n', '220 mail.test\r\n', 'x'.repeat(5_000)]), 'end'),
  alert: (r) => raw('an alert', record(21, Buffer.from([r.pick([1, 2, 9]), r.below(256)])), 'end'),
  warnings: () => raw('endless warnings', { flood: record(21, Buffer.from([1, 0x5a])) }),
  hello: (r) => raw('a hello that makes no sense', record(HANDSHAKE, message(2, serverHello(r))), 'end'),
  requests: () => raw('endless hello requests', { flood: record(HANDSHAKE, message(0, Buffer.alloc(0))) }),
  changes: () => raw('endless changes of cipher', { flood: record(20, Buffer.from([1])) }),
  empty: (r) => raw('endless empty records', { flood: record(r.pick([20, 21, 22, 23, 24]), Buffer.alloc(0)) }),
  huge: () =>
    raw('a handshake message of 16 MiB', record(HANDSHAKE, message(11, Buffer.alloc(16_000), 0xffffff)), {
      flood: record(HANDSHAKE, Buffer.alloc(16_000)),
    }),
  length: (r) => raw('a record that is too long', record(HANDSHAKE, r.bytes(100), 0xffff), { flood: 'x' }),
  fragments: (r) =>
    raw(
      'a hello in single bytes',
      ...[...record(HANDSHAKE, message(2, serverHello(r)))].map((byte) => record(HANDSHAKE, Buffer.from([byte]))),
      'end',
    ),
  types: (r) => raw('records of no known type', record(r.between(25, 255), r.bytes(50)), 'end'),
  noise: (r) => raw('random bytes', r.bytes(r.between(1, 2_000)), 'end'),
  closed: (r) => raw('nothing', r.pick(['end', 'reset'] as const)),
};

export const slowHandshakes: Record<string, Family> = {
  silent: () => raw('silence', { wait: 60_000 }),
  dripping: (r) => raw('a dripping handshake', { drip: record(HANDSHAKE, message(2, serverHello(r))) }),
};

/** A valid handshake and answer with some bytes changed on the way. */
export const damagedTls: Family = (random) => {
  const positions = Array.from(
    { length: random.between(1, 3) },
    () => [random.below(1_800), random.between(1, 255)] as const,
  );
  const damage = new Map(positions);
  return { ...secure('a damaged TLS connection', trustedCertificate, 'either'), damage };
};

/** Sends an answer after a valid handshake. */
export const overTls = (answer: Answer): Answer => ({
  ...answer,
  name: `${answer.name}, over TLS`,
  tls: { ...trustedCertificate, ALPNProtocols: ['h2', 'http/1.1'] },
});
