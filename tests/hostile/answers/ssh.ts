import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

const VERSION = 'SSH-2.0-ready_1.0\r\n';

function list(names: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(names.length);
  return Buffer.concat([size, Buffer.from(names)]);
}

/** A packet before encryption: RFC 4253 §6. */
function packet(payload: Buffer, { size, padding = 8 }: { size?: number; padding?: number } = {}): Buffer {
  const head = Buffer.alloc(5, padding);
  head.writeUInt32BE(size ?? payload.length + 1 + 8);
  return Buffer.concat([head, payload, Buffer.alloc(8)]);
}

const KEXINIT = Buffer.concat([Buffer.from([20]), Buffer.alloc(16), list('curve25519-sha256'), list('ssh-ed25519')]);

/** A server without the given response. */
function server(name: string, expected: Expected, said: { version?: Step[]; packet?: Step[] }): Answer {
  const steps = [...(said.version ?? [VERSION]), ...(said.packet ?? [packet(KEXINIT)])];
  return { name, expected: always(expected), converse: (socket: Socket) => perform(socket, steps) };
}

export const sshAnswers: Record<string, Family> = {
  plain: () => server('a good server', 'up', {}),
  parts: () =>
    server('a version in parts', 'up', { version: ['SSH-', { wait: 20 }, '2.0-rea', { wait: 20 }, 'dy\r\n'] }),
  lines: (r) =>
    server('lines before', 'up', { version: [`${'welcome \u202e\r\n'.repeat(r.between(1, 99))}`, VERSION] }),
  many: (r) =>
    server('too many lines before', 'down', { version: ['hello\r\n'.repeat(r.between(101, 5_000)), VERSION] }),
  other: (r) =>
    server('another protocol', 'down', {
      version: [
        r.pick(['HTTP/1.1 400 Bad\r\n\r\n', '220 mail.test\r\n', '\r\n', 'SSH-1.5-ready\r\n', 'SSH-ready\r\n']),
        'end',
      ],
    }),
  version: (r) =>
    server('a wrong version', 'down', {
      version: [
        r.pick([
          'SSH-2.0-other\r\n',
          'SSH-2.0-\r\n',
          `SSH-2.0-ready${'x'.repeat(9_000)}\r\n`,
          'SSH-2.0-w\u001b[2J\r\n',
        ]),
      ],
    }),
  lengths: (r) =>
    server('a wrong length', 'down', {
      packet: [
        r.pick([
          packet(KEXINIT, { size: r.pick([0, 1, 4, 35_001, 0xffffffff]) }),
          packet(KEXINIT, { padding: r.between(60, 255) }),
          packet(KEXINIT.subarray(0, r.between(1, KEXINIT.length - 1))),
          packet(Buffer.concat([Buffer.from([20]), Buffer.alloc(16, 255), Buffer.alloc(4, 255)])),
          packet(Buffer.concat([KEXINIT.subarray(0, 17), list(''), list('ssh-ed25519')])),
        ]),
        'end',
      ],
    }),
  refused: (r) =>
    server('a disconnection', 'down', {
      packet: [
        packet(
          Buffer.concat([Buffer.from([1, 0, 0, 0, 2]), list(r.pick(['', 'too \u001b[2J many', 'x'.repeat(9_000)]))]),
        ),
      ],
    }),
  closed: (r) =>
    server('a connection that closes', 'down', {
      [r.pick(['version', 'packet'] as const)]: [r.pick(['end', 'reset'] as const)],
    }),
  endless: (r) => server('endless bytes', 'down', { version: [{ flood: r.pick(['SSH-', 'x\r\n', '\0']) }] }),
  noise: (r) =>
    server('random bytes', 'down', {
      [r.pick(['version', 'packet'] as const)]: [
        Buffer.concat([Buffer.from([255]), r.bytes(r.between(1, 500))]),
        '\r\n',
        'end',
      ],
    }),
};

export const slowSsh: Record<string, Family> = {
  silent: () => server('silence', 'down', { version: [{ wait: 60_000 }] }),
  dripping: () => server('a dripping version', 'down', { version: [{ drip: 'SSH-' }] }),
  stuck: () => server('silence after the version', 'down', { packet: [{ wait: 60_000 }] }),
};
