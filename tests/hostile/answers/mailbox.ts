import type { Socket } from 'node:net';
import { type Answer, always, type Expected, type Family, perform, type Step } from '../answer';

type Replies = Partial<Record<'greeting' | 'command', Step[]>>;

/** A mail server that follows the protocol except for the given response. Hostile mailboxes are asked for a login over TLS. */
function server(name: string, expected: Expected, said: Replies, protocol: 'imap' | 'pop3'): Answer {
  const isImap = protocol === 'imap';
  const converse = (socket: Socket) => {
    perform(socket, said.greeting ?? [isImap ? '* OK ready\r\n' : '+OK ready\r\n']);
    socket.on('data', (part: Buffer) => {
      const usual = isImap ? `${part.toString('latin1').split(' ')[0]} OK done\r\n` : '+OK done\r\n';
      perform(socket, said.command ?? [usual]);
    });
  };
  return { name, expected: always(expected), converse };
}

const either = ['greeting', 'command'] as const;

/** The answers that both protocols get, with an accepted and a refused line in their own form. */
const shared = (protocol: 'imap' | 'pop3', words: { refusals: string[]; more: string }): Record<string, Family> => ({
  plain: () => server('a good server', 'up', {}, protocol),
  refused: (r) => server('a refusal', 'down', { [r.pick(either)]: [r.pick(words.refusals)] }, protocol),
  other: (r) =>
    server(
      'another protocol',
      'down',
      { [r.pick(either)]: [r.pick(['HTTP/1.1 400 Bad\r\n\r\n', '220 mail.test\r\n', '\r\n', '\u0000\u0001\r\n'])] },
      protocol,
    ),
  closed: (r) =>
    server('a connection that closes', 'down', { [r.pick(either)]: [r.pick(['end', 'reset'] as const)] }, protocol),
  endlessLine: (r) => server('an endless line', 'down', { [r.pick(either)]: [{ flood: '*'.repeat(500) }] }, protocol),
  endlessReply: (r) => server('an endless reply', 'down', { [r.pick(either)]: [{ flood: words.more }] }, protocol),
  noise: (r) =>
    server('random bytes', 'down', { [r.pick(either)]: [r.bytes(r.between(1, 500)), '\r\n', 'end'] }, protocol),
});

export const imapAnswers: Record<string, Family> = {
  ...shared('imap', {
    refusals: ['* BYE no\u0000w\u001b[2J\r\n', 'a1 NO \u202e\r\n', `a1 BAD ${'x'.repeat(9_000)}\r\n`, 'a1 OKAY\r\n'],
    more: '* 1 EXISTS\r\n',
  }),
  lines: (r) => server('many lines', 'up', { command: [`${'* X\r\n'.repeat(r.between(1, 900))}a1 OK\r\n`] }, 'imap'),
  parts: () =>
    server('a greeting in parts', 'up', { greeting: ['* O', { wait: 20 }, 'K\r', { wait: 20 }, '\n'] }, 'imap'),
};

export const pop3Answers: Record<string, Family> = {
  ...shared('pop3', {
    refusals: ['-ERR\r\n', '-ERR no\u0000w\u001b[2J\r\n', `-ERR ${'x'.repeat(9_000)}\r\n`, '+OKAY\r\n'],
    more: '-more\r\n',
  }),
  parts: () =>
    server('a greeting in parts', 'up', { greeting: ['+O', { wait: 20 }, 'K\r', { wait: 20 }, '\n'] }, 'pop3'),
};

export const slowMailbox: Record<string, Family> = {
  silent: () => server('silence', 'down', { greeting: [{ wait: 60_000 }] }, 'imap'),
  stuck: () => server('silence after the greeting', 'down', { command: [{ wait: 60_000 }] }, 'imap'),
  dripping: () => server('a dripping greeting', 'down', { greeting: [{ drip: '* OK more' }] }, 'imap'),
};
