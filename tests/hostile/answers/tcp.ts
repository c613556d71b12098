import { type Answer, always, type Expected, type Family, type Step } from '../answer';

/** Servers that send the expected text over plain TCP, or do not. */
const banner = (name: string, expected: Expected, ...steps: Step[]): Answer => ({
  name,
  expected: always(expected),
  steps,
});

export const tcpAnswers: Record<string, Family> = {
  plain: () => banner('the text', 'up', '220 ready\r\n'),
  parts: () => banner('the text in parts', 'up', '220 re', { wait: 20 }, 'ady\r\n'),
  after: (r) => banner('the text after much else', 'up', 'x'.repeat(r.below(60_000)), ' ready'),
  binary: (r) => banner('the text among bytes', 'up', Buffer.concat([r.bytes(500), Buffer.from('ready'), r.bytes(10)])),
  other: (r) => banner('another text', 'down', r.pick(['554 go away\r\n', '\u0000\u001b[2J\u202e', '', 'read']), 'end'),
  endless: (r) => banner('endless bytes', 'down', { flood: r.pick(['x', 'read', '\r\n', '\u0000']) }),
  closed: (r) => banner('nothing', 'down', r.pick(['end', 'reset'] as const)),
};

export const slowTcp: Record<string, Family> = {
  silent: () => banner('silence', 'down', { wait: 60_000 }),
  dripping: () => banner('dripping bytes', 'down', { drip: 'abc' }),
};
