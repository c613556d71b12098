import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

/** A Redis without the given response: PING and ROLE. */
function server(name: string, expected: Expected, said: { PING?: Step[]; ROLE?: Step[] }): Answer {
  const converse = (socket: Socket) => {
    socket.on('data', (part: Buffer) => {
      const isRole = part.includes('ROLE');
      const usual = isRole ? '*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n' : '+PONG\r\n';
      perform(socket, said[isRole ? 'ROLE' : 'PING'] ?? [usual]);
    });
  };
  return { name, expected: always(expected), converse };
}

const either = ['PING', 'ROLE'] as const;

export const redisAnswers: Record<string, Family> = {
  plain: () => server('a good server', 'up', {}),
  parts: () =>
    server('replies in parts', 'up', { ROLE: ['*3\r', { wait: 20 }, '\n$6\r\nmas', { wait: 20 }, 'ter\r\n'] }),
  replicas: (r) =>
    server('many replicas', 'up', { ROLE: [`*3\r\n$6\r\nmaster\r\n:0\r\n${'*0\r\n'.repeat(r.between(10, 5_000))}`] }),
  refused: (r) =>
    server('an error reply', 'down', {
      [r.pick(either)]: [
        r.pick(['-LOADING no\u0000w\u001b[2J\r\n', '-\r\n', `-ERR ${'x'.repeat(9_000)}\r\n`, '-NOAUTH \u202e\r\n']),
      ],
    }),
  other: (r) =>
    server('another protocol', 'down', {
      [r.pick(either)]: [r.pick(['HTTP/1.1 400 Bad\r\n\r\n', '220 mail.test\r\n', '\r\n', ':1\r\n', '$4\r\nPONG\r\n'])],
    }),
  lengths: (r) =>
    server('a wrong length', 'down', {
      ROLE: [
        r.pick(['*1\r\n$99\r\nm\r\n', '*1\r\n$999999999\r\n', '*1\r\n$-1\r\n', '*-1\r\n', '*9999\r\n*9999\r\n']),
        'end',
      ],
    }),
  closed: (r) => server('a connection that closes', 'down', { [r.pick(either)]: [r.pick(['end', 'reset'] as const)] }),
  endless: (r) => server('an endless line', 'down', { [r.pick(either)]: [{ flood: r.pick(['+', '$6', '*1']) }] }),
  noise: (r) => server('random bytes', 'down', { [r.pick(either)]: [r.bytes(r.between(1, 500)), '\r\n', 'end'] }),
};

export const slowRedis: Record<string, Family> = {
  silent: () => server('silence', 'down', { PING: [{ wait: 60_000 }] }),
  dripping: () => server('a dripping reply', 'down', { PING: [{ drip: '+PON' }] }),
};
