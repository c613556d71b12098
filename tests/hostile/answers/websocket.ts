import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

function upgrade(asked: string, wrong = ''): string {
  const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(asked) ?? [];
  const accept = createHash('sha1').update(`${key}${GUID}${wrong}`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`;
}

/** A frame (RFC 6455 §5.2) with the given flag bits. */
function frame(opcode: number, payload: Buffer | string, { fin = true, bits = 0, masked = false } = {}): Buffer {
  const bytes = Buffer.from(payload as string);
  const first = (fin ? 0x80 : 0) | bits | opcode;
  const mask = masked ? 0x80 : 0;
  const length =
    bytes.length < 126
      ? Buffer.from([first, mask | bytes.length])
      : bytes.length < 65_536
        ? Buffer.from([first, mask | 126, bytes.length >> 8, bytes.length & 0xff])
        : Buffer.from([
            first,
            mask | 127,
            0,
            0,
            0,
            0,
            ...new Uint8Array(new Uint32Array([bytes.length]).buffer).reverse(),
          ]);
  return Buffer.concat([length, masked ? Buffer.alloc(4) : Buffer.alloc(0), bytes]);
}

const opened = (name: string, expected: Expected, ...steps: Step[]): Answer => ({
  name,
  expected: always(expected),
  converse: (socket: Socket) => {
    socket.once('data', (asked: Buffer) => perform(socket.resume(), [upgrade(asked.toString('latin1')), ...steps]));
  },
});
const refused = (name: string, reply: (asked: string) => string): Answer => ({
  name,
  expected: always('down'),
  converse: (socket: Socket) => {
    socket.once('data', (asked: Buffer) => socket.resume().write(reply(asked.toString('latin1'))));
  },
});

const READY = frame(1, 'we are ready now');

/** The monitor's config: it expects a message that contains "ready". */
export const websocketAnswers: Record<string, Family> = {
  plain: () => opened('the message', 'up', READY),
  binary: () => opened('a binary message', 'up', frame(2, 'ready')),
  fragments: (r) => {
    const parts = Array.from({ length: r.between(1, 30) }, () => [
      frame(0, 'a', { fin: false }),
      frame(9, 'ping'),
    ]).flat();
    return opened('fragments with pings between', 'up', frame(1, '', { fin: false }), ...parts, frame(0, 'ready'));
  },
  pings: (r) => opened('some pings before', 'up', ...Array<Buffer>(r.between(1, 100)).fill(frame(9, 'p')), READY),
  chatter: (r) =>
    opened('much before the message', 'up', ...Array<Buffer>(r.between(10, 900)).fill(frame(1, 'tick')), READY),
  large: () => opened('a large message', 'up', frame(1, `${'x'.repeat(200_000)} ready`)),
  empty: () => opened('endless empty messages', 'down', { flood: frame(1, '') }),
  tiny: () => opened('endless tiny messages', 'down', { flood: frame(1, 'x') }),
  endlessPings: (r) => opened('endless pings', 'down', { flood: frame(r.pick([9, 10]), r.bytes(r.below(126))) }),
  endlessFragments: () =>
    opened('endless fragments', 'down', frame(1, '', { fin: false }), { flood: frame(0, '', { fin: false }) }),
  huge: () => opened('messages without end', 'down', { flood: frame(1, 'x'.repeat(100_000)) }),
  masked: () => opened('a masked frame', 'down', frame(1, 'ready', { masked: true })),
  reserved: (r) => opened('a reserved bit', 'down', frame(1, 'ready', { bits: r.pick([0x10, 0x20, 0x40]) })),
  opcode: (r) => opened('an opcode there is not', 'down', frame(r.pick([3, 7, 11, 15]), 'ready')),
  text: (r) => opened('text that is none', 'down', frame(1, Buffer.concat([r.bytes(20), Buffer.from([0xff])]))),
  control: () => opened('a long control frame', 'down', frame(9, 'x'.repeat(126))),
  continuation: () => opened('a continuation of nothing', 'down', frame(0, 'ready')),
  close: (r) =>
    opened(
      'a close',
      'down',
      frame(
        8,
        r.pick([
          Buffer.alloc(0),
          Buffer.from([3, 232]),
          Buffer.from([0, 1]),
          Buffer.from([255]),
          Buffer.concat([Buffer.from([3, 232]), Buffer.from([0xff, 0xfe])]),
        ]),
      ),
    ),
  length: () =>
    opened('a frame of 2^63 bytes', 'down', Buffer.from([0x81, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255])),
  broken: (r) =>
    opened('a frame broken off', 'down', frame(1, 'x'.repeat(100)).subarray(0, 50), r.pick(['end', 'reset'] as const)),
  damaged: (r) =>
    opened('damaged frames', 'either', r.damage(Buffer.concat([frame(9, 'p'), READY, frame(1, 'more')])), 'end'),
  noise: (r) => opened('random frames', 'either', r.bytes(r.between(1, 2_000)), 'end'),
  accept: () => refused('a wrong accept', (asked) => upgrade(asked, 'x')),
  status: (r) =>
    refused('a refusal', () => `HTTP/1.1 ${r.pick([200, 301, 400, 403, 503])} No\r\ncontent-length: 0\r\n\r\n`),
  extension: () =>
    refused('an extension nobody offered', (asked) =>
      upgrade(asked).replace('\r\n\r\n', '\r\nsec-websocket-extensions: x\r\n\r\n'),
    ),
  protocol: () =>
    refused('a subprotocol nobody offered', (asked) =>
      upgrade(asked).replace('\r\n\r\n', '\r\nsec-websocket-protocol: x\r\n\r\n'),
    ),
};

export const slowWebsocket: Record<string, Family> = {
  silent: () => opened('no message', 'down', { wait: 60_000 }),
  dripping: () => opened('dripping pings', 'down', { drip: frame(9, 'p') }),
};
