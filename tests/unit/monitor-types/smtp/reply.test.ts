import { describe, expect, it } from 'vitest';
import { parseReply, summary } from '@/server/monitor-types/smtp/reply';

describe('parseReply', () => {
  it.each([
    [['220 mail.test ESMTP'], { code: 220, lines: ['mail.test ESMTP'] }],
    [['250'], { code: 250, lines: [''] }],
    [['250-mail.test', '250-STARTTLS', '250 SIZE 1'], { code: 250, lines: ['mail.test', 'STARTTLS', 'SIZE 1'] }],
    [['250-mail.test', '250-STARTTLS'], null],
    [[], null],
  ])('reads %j', (lines, reply) => {
    expect(parseReply(lines)).toEqual(reply);
  });

  it.each([['HTTP/1.1 400 Bad Request'], ['999 what'], ['2500 no'], [''], ['25'], ['250_no']])('rejects %j', (line) => {
    expect(() => parseReply([line])).toThrow(SyntaxError);
  });

  it('rejects a reply whose lines have different codes', () => {
    expect(() => parseReply(['250-mail.test', '251 other'])).toThrow(SyntaxError);
  });
});

it('summarizes a reply in 200 characters, and marks what it cut', () => {
  expect(summary({ code: 554, lines: ['go', 'away'] })).toBe('554 go away');
  expect(summary({ code: 554, lines: ['x'.repeat(500)] })).toBe(`554 ${'x'.repeat(196)}…`);
});
