import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

/** The server's reply to each command in turn; "250 ok" to those after the last. */
type Replies = Partial<Record<'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'body', Step[]>>;

/** A mail server that follows the protocol except for the given response. */
function server(name: string, expected: Expected, said: Replies): Answer {
  const converse = (socket: Socket) => {
    let inBody = false;
    let line = '';
    const say = (key: keyof Replies, usual: string) => perform(socket, said[key] ?? [usual]);
    say('greeting', '220 mail.test ESMTP\r\n');
    socket.on('data', (part: Buffer) => {
      line += part.toString('latin1');
      if (inBody && line.endsWith('\r\n.\r\n')) {
        inBody = false;
        line = '';
        return say('body', '250 queued\r\n');
      }
      if (inBody || !line.endsWith('\r\n')) return;
      const command = line.slice(0, 4).toUpperCase();
      line = '';
      inBody = command === 'DATA';
      if (command === 'EHLO') say('EHLO', '250-mail.test\r\n250 8BITMIME\r\n');
      else if (command === 'DATA') say('DATA', '354 go on\r\n');
      else if (command === 'MAIL' || command === 'RCPT') say(command, '250 ok\r\n');
      else socket.write('250 ok\r\n');
    });
  };
  return { name, expected: always(expected), converse };
}

export const smtpAnswers: Record<string, Family> = {
  plain: () => server('a good server', 'up', {}),
  lines: (r) =>
    server('many lines', 'up', { EHLO: [`${'250-X-LINE some words\r\n'.repeat(r.between(2, 200))}250 OK\r\n`] }),
  slow: () => server('replies in parts', 'up', { RCPT: ['25', { wait: 20 }, '0 o', { wait: 20 }, 'k\r\n'] }),
  greeting: (r) =>
    server('a greeting that refuses', 'down', {
      greeting: [
        r.pick(['554 no\r\n', '421 later\r\n', '\u0000\u0001\r\n', 'HTTP/1.1 400 Bad\r\n\r\n', '999 what\r\n']),
      ],
    }),
  recipient: (r) =>
    server('a refused recipient', 'down', {
      RCPT: [
        r.pick([
          '550 no\u0000such\u001b[2J\r\n',
          '451 later\r\n',
          '550-no\r\n550 \u202eway\r\n',
          `550 ${'x'.repeat(9_000)}\r\n`,
        ]),
      ],
    }),
  sender: (r) => server('a refused sender', 'down', { MAIL: [r.pick(['530 no\r\n', '5\r\n', '\r\n', '-1 x\r\n'])] }),
  body: (r) => server('a refused message', 'down', { body: [r.pick(['554 spam\r\n', '452 full\r\n'])] }),
  closed: (r) =>
    server('a connection that closes', 'down', {
      [r.pick(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'body'] as const)]: [r.pick(['end', 'reset'] as const)],
    }),
  endlessLine: (r) =>
    server('an endless line', 'down', {
      [r.pick(['greeting', 'EHLO', 'RCPT'] as const)]: [{ flood: '2'.repeat(500) }],
    }),
  endlessReply: (r) =>
    server('an endless reply', 'down', {
      [r.pick(['greeting', 'EHLO', 'RCPT'] as const)]: [{ flood: '250-more\r\n' }],
    }),
  noise: (r) =>
    server('random bytes', 'either', {
      [r.pick(['greeting', 'EHLO', 'RCPT'] as const)]: [r.bytes(r.between(1, 500)), '\r\n', 'end'],
    }),
};

/** Answers to a monitor, which sends nothing after EHLO. */
const { plain, lines, greeting } = smtpAnswers as Record<'plain' | 'lines' | 'greeting', Family>;
export const smtpMonitorAnswers: Record<string, Family> = {
  plain,
  lines,
  greeting,
  slow: () => server('a greeting in parts', 'up', { greeting: ['22', { wait: 20 }, '0 o', { wait: 20 }, 'k\r\n'] }),
  refused: (r) =>
    server('a refused EHLO', 'down', {
      EHLO: [r.pick(['502 no\u0000such\u001b[2J\r\n', '250-a\r\n251 b\r\n', '\r\n', '-1 x\r\n', '2500 x\r\n'])],
    }),
  closed: (r) =>
    server('a connection that closes', 'down', {
      [r.pick(['greeting', 'EHLO'] as const)]: [r.pick(['end', 'reset'] as const)],
    }),
  endlessLine: (r) =>
    server('an endless line', 'down', { [r.pick(['greeting', 'EHLO'] as const)]: [{ flood: '2'.repeat(500) }] }),
  endlessReply: (r) =>
    server('an endless reply', 'down', { [r.pick(['greeting', 'EHLO'] as const)]: [{ flood: '250-more\r\n' }] }),
  noise: (r) =>
    server('random bytes', 'either', {
      [r.pick(['greeting', 'EHLO'] as const)]: [r.bytes(r.between(1, 500)), '\r\n', 'end'],
    }),
};

export const slowSmtp: Record<string, Family> = {
  silent: () => server('silence', 'down', { greeting: [{ wait: 60_000 }] }),
  dripping: () => server('a dripping reply', 'down', { greeting: [{ drip: '220-more words\r\n' }] }),
};
