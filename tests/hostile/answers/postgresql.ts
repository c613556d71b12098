import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

/** A message of a server: its kind, its length, its body. */
function message(kind: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, kind);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

const auth = (code: number, data = '') =>
  message('R', Buffer.concat([Buffer.from([0, 0, 0, code]), Buffer.from(data)]));
const error = (text: string) => message('E', `SERROR\0C42P01\0M${text}\0\0`);
const ready = message('Z', 'I');
const row = message('D', Buffer.from([0, 1, 0, 0, 0, 1, 49]));

type Stage = 'login' | 'begin' | 'query';
const USUAL: Record<Stage, Step[]> = {
  login: [Buffer.concat([auth(0), message('S', 'TimeZone\0UTC\0'), message('K', Buffer.alloc(8)), ready])],
  begin: [Buffer.concat([message('C', 'BEGIN\0'), ready])],
  query: [Buffer.concat([message('1'), message('2'), row, message('C', 'SELECT 1\0'), ready])],
};

/** A PostgreSQL server except for the given response. */
function server(name: string, expected: Expected, said: Partial<Record<Stage, Step[]>>): Answer {
  const converse = (socket: Socket) => {
    const stages: Stage[] = ['login', 'begin', 'query'];
    socket.on('data', () => {
      const stage = stages.shift();
      if (stage) perform(socket, said[stage] ?? USUAL[stage]);
    });
  };
  return { name, expected: always(expected), converse };
}

const any = ['login', 'begin', 'query'] as const;

export const postgresqlAnswers: Record<string, Family> = {
  plain: () => server('a good server', 'up', {}),
  parts: () =>
    server('messages in parts', 'up', {
      query: [row.subarray(0, 3), { wait: 20 }, row.subarray(3), message('C', 'SELECT 1\0'), { wait: 20 }, ready],
    }),
  notices: (r) =>
    server('many notices', 'up', {
      begin: [Buffer.concat([...Array(r.between(2, 500)).fill(message('N', 'SNOTICE\0Mwords\0\0')), ready])],
    }),
  refused: (r) =>
    server('an error', 'down', {
      [r.pick(any)]: [error(r.pick(['no\u001b[2Jsuch', '\u202e', 'x'.repeat(9_000), '', 'two\nlines'])), ready],
    }),
  endless: (r) =>
    server('an error without an end', 'down', { [r.pick(any)]: [message('E', r.pick(['', 'S', 'SERROR', '\0']))] }),
  auth: (r) =>
    server('another authentication', 'down', {
      login: [
        r.pick([auth(3), auth(5, 'salt'), auth(5), auth(7), auth(10, 'SCRAM-SHA-256\0\0'), auth(11, 'r=,s=,i=9')]),
        r.pick([auth(11, 'r=x,s=eA==,i=999999999'), auth(12, 'v=x'), message('R'), ready]),
        ready,
      ],
    }),
  rows: (r) =>
    server('a wrong row', 'down', {
      query: [
        message('D', Buffer.from(r.pick([[], [0, 0], [0, 1], [0, 1, 0, 0, 9, 9, 1], [255, 255, 255, 0, 0, 0]]))),
        ready,
      ],
    }),
  lengths: (r) =>
    server('a wrong length', 'down', {
      [r.pick(any)]: [Buffer.from([r.pick([68, 83, 69]), r.pick([127, 255]), 255, 255, 255]), 'end'],
    }),
  other: (r) =>
    server('another protocol', 'down', {
      login: [r.pick(['HTTP/1.1 400 Bad\r\n\r\n', '220 mail.test\r\n', '\0', 'SSH-2.0-x\r\n']), 'end'],
    }),
  closed: (r) => server('a connection that closes', 'down', { [r.pick(any)]: [r.pick(['end', 'reset'] as const)] }),
  flood: (r) =>
    server('endless messages', 'down', {
      [r.pick(any)]: [{ flood: r.pick([message('S', 'a\0b\0'), row, message('N'), Buffer.from('E')]) }],
    }),
  noise: (r) => server('random bytes', 'down', { [r.pick(any)]: [r.bytes(r.between(1, 500)), 'end'] }),
};

export const slowPostgresql: Record<string, Family> = {
  silent: () => server('silence', 'down', { login: [{ wait: 60_000 }] }),
  dripping: () => server('dripping messages', 'down', { begin: [{ drip: message('S', 'a\0b\0') }] }),
};
