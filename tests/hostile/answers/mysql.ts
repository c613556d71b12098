import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

/** A packet of a server: its length, its number, its body. */
function packet(sequence: number, body: Buffer | string | number[]): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body);
  const head = Buffer.alloc(4);
  head.writeUIntLE(bytes.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, bytes]);
}

const OK = [0, 0, 0, 2, 0, 0, 0];
const END = [254, 0, 0, 2, 0];
const GREETING = packet(
  0,
  `\n8.4.0\0\x01\0\0\x0012345678\0\x08\xa2\x2d\x02\0\x08\0\x15${'\0'.repeat(10)}abcdefghijkl\0caching_sha2_password\0`,
);
const error = (sequence: number, text: string) => packet(sequence, `\xff\x10\x04#HY000${text}`);

type Stage = 'greeting' | 'login' | 'limits' | 'begin' | 'query';
const USUAL: Record<Stage, Step[]> = {
  greeting: [GREETING],
  login: [packet(2, OK)],
  limits: [packet(1, OK)],
  begin: [packet(1, OK)],
  query: [Buffer.concat([packet(1, [1]), packet(2, 'def'), packet(3, END), packet(4, '\x011'), packet(5, END)])],
};

/** A MySQL server except for the given response. */
function server(name: string, expected: Expected, said: Partial<Record<Stage, Step[]>>): Answer {
  const converse = (socket: Socket) => {
    const stages: Stage[] = ['login', 'limits', 'begin', 'query'];
    perform(socket, said.greeting ?? USUAL.greeting);
    socket.on('data', () => {
      const stage = stages.shift();
      if (stage) perform(socket, said[stage] ?? USUAL[stage]);
    });
  };
  return { name, expected: always(expected), converse };
}

const any = ['greeting', 'login', 'begin', 'query'] as const;

export const mysqlAnswers: Record<string, Family> = {
  plain: () => server('a good server', 'up', {}),
  parts: () =>
    server('packets in parts', 'up', { greeting: [GREETING.subarray(0, 2), { wait: 20 }, GREETING.subarray(2)] }),
  unlimited: () => server('a server without the limits', 'up', { limits: [error(1, 'Unknown system variable')] }),
  refused: (r) =>
    server('an error', 'down', {
      greeting: [error(0, r.pick(['no\u001b[2J', '', 'x'.repeat(9_000), '\x80\xff']))],
    }),
  denied: (r) => server('a refused login', 'down', { login: [error(2, r.pick(['Access denied', '\0', '#']))] }),
  failed: (r) => server('a failed query', 'down', { query: [error(1, r.pick(['no such table', '\0\0', '#']))] }),
  methods: (r) =>
    server('another authentication', 'down', {
      login: [
        packet(
          2,
          r.pick(['\xfe', '\xfemysql_clear_password\0', '\xfesha256_password\0x\0', '\xfe\xff\0', '\x01\x09', '\x02x']),
        ),
      ],
    }),
  passwords: () => server('a request for the password itself', 'down', { login: [packet(2, '\x01\x04')] }),
  greetings: (r) =>
    server('a wrong greeting', 'down', {
      greeting: [packet(0, r.pick(['\n', '\n8.0', '\x09x', `\n${'x'.repeat(60_000)}`, '\n8\0\0\0\0\0']))],
    }),
  results: (r) =>
    server('a wrong result', 'down', {
      query: [
        r.pick([
          packet(1, '\xfb/etc/passwd'),
          packet(1, '\xfc\xff\xff'),
          Buffer.concat([packet(1, [1]), packet(2, 'd'), packet(3, END), packet(4, '\xc8x')]),
          Buffer.concat([packet(1, [1]), packet(2, 'd'), packet(3, END), packet(4, `\xfe${'\xff'.repeat(20)}`)]),
          packet(7, OK),
          packet(1, ''),
        ]),
        'end',
      ],
    }),
  lengths: (r) =>
    server('a wrong length', 'down', { [r.pick(any)]: [Buffer.from([255, 255, r.pick([0, 255]), 1, 0]), 'end'] }),
  other: (r) =>
    server('another protocol', 'down', {
      greeting: [r.pick(['HTTP/1.1 400 Bad\r\n\r\n', '220 mail.test\r\n', '\0', 'SSH-2.0-x\r\n']), 'end'],
    }),
  closed: (r) => server('a connection that closes', 'down', { [r.pick(any)]: [r.pick(['end', 'reset'] as const)] }),
  flood: (r) =>
    server('endless packets', 'down', {
      [r.pick(any)]: [{ flood: r.pick([packet(1, [1]), packet(0, OK), Buffer.from([0])]) }],
    }),
  noise: (r) => server('random bytes', 'down', { [r.pick(any)]: [r.bytes(r.between(1, 500)), 'end'] }),
};

export const slowMysql: Record<string, Family> = {
  silent: () => server('silence', 'down', { greeting: [{ wait: 60_000 }] }),
  dripping: () => server('a dripping greeting', 'down', { greeting: [{ drip: packet(0, 'x'.repeat(60_000)) }] }),
};
