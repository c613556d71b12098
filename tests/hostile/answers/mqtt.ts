import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

const CONNACK = Buffer.from([0x20, 2, 0, 0]);
const SUBACK = Buffer.from([0x90, 3, 0, 1, 0]);
/** A message of the topic "a". */
const publish = (payload: string | Buffer, flags = 0) => {
  const bytes = Buffer.from(payload);
  const size = bytes.length + 3;
  return Buffer.concat([Buffer.from([0x30 | flags, (size & 127) | 128, size >> 7, 0, 1, 97]), bytes]);
};

/** A broker except for the given response. */
function server(name: string, expected: Expected, said: { login?: Step[]; topic?: Step[] }): Answer {
  const converse = (socket: Socket) => {
    socket.once('data', () => {
      perform(socket, said.login ?? [CONNACK]);
      socket.once('data', () => perform(socket, said.topic ?? [SUBACK, publish('ready')]));
    });
  };
  return { name, expected: always(expected), converse };
}

const either = ['login', 'topic'] as const;

export const mqttAnswers: Record<string, Family> = {
  plain: () => server('a good broker', 'up', {}),
  parts: () =>
    server('packets in parts', 'up', {
      topic: [SUBACK.subarray(0, 2), { wait: 20 }, SUBACK.subarray(2), publish('ready')],
    }),
  early: () => server('a message before the subscription', 'up', { topic: [publish('ready'), SUBACK] }),
  binary: (r) =>
    server('bytes around the text', 'up', {
      topic: [SUBACK, publish(Buffer.concat([r.bytes(500), Buffer.from('ready')]))],
    }),
  otherText: (r) =>
    server('another payload', 'down', {
      topic: [SUBACK, publish(r.pick(['', 'read', '\0\u001b[2J\u202e', 'x'.repeat(9_000)]))],
    }),
  refused: (r) =>
    server('a refusal', 'down', {
      [r.pick(either)]: [
        r.pick([Buffer.from([0x20, 2, 0, 5]), Buffer.from([0x90, 3, 0, 1, 128]), Buffer.from([0x20, 2, 9, 250])]),
      ],
    }),
  malformed: (r) =>
    server('a malformed packet', 'down', {
      topic: [
        SUBACK,
        r.pick([
          Buffer.from([0x30, 0]),
          Buffer.from([0x30, 2, 255, 255]),
          Buffer.from([0x36, 3, 0, 1, 97]),
          Buffer.from([0xf0, 0]),
        ]),
      ],
    }),
  lengths: (r) =>
    server('a wrong length', 'down', {
      [r.pick(either)]: [
        r.pick([Buffer.from([0x30, 255, 255, 255, 255, 1]), Buffer.from([0x30, 255, 255, 255, 127])]),
        'end',
      ],
    }),
  other: (r) =>
    server('another protocol', 'down', {
      login: [r.pick(['HTTP/1.1 400 Bad\r\n\r\n', '220 mail.test\r\n', '\0\0']), 'end'],
    }),
  closed: (r) => server('a connection that closes', 'down', { [r.pick(either)]: [r.pick(['end', 'reset'] as const)] }),
  flood: (r) =>
    server('endless packets', 'down', {
      [r.pick(either)]: [{ flood: r.pick([Buffer.from([0xd0, 0]), CONNACK, publish('x'), Buffer.from([0])]) }],
    }),
  noise: (r) => server('random bytes', 'down', { [r.pick(either)]: [r.bytes(r.between(1, 500)), 'end'] }),
};

export const slowMqtt: Record<string, Family> = {
  silent: () => server('silence', 'down', { login: [{ wait: 60_000 }] }),
  quiet: () => server('no message', 'down', { topic: [SUBACK, { wait: 60_000 }] }),
  dripping: () => server('a dripping message', 'down', { topic: [SUBACK, { drip: publish('x'.repeat(9_000)) }] }),
};
