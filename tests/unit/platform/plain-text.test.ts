import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLines, plainText } from '@/server/platform/plain-text';

describe('plainText', () => {
  it.each([
    ['a NUL', 'a\u0000b', 'a b'],
    ['line breaks of every kind', 'a\r\nb\u2028c\u2029d\u0085e', 'a b c d e'],
    ['terminal colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a terminal title', 'a\u001b]0;owned\u0007b\u001b]8;;http://x\u001b\\c', 'abc'],
    ['a one-byte control sequence', 'a\u009b2Jb', 'ab'],
    ['an unterminated escape', 'a\u001b[', 'a'],
    ['bidirectional controls', 'a\u202eb\u2066c', 'a b c'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['noncharacters', 'a\ufffeb', 'a b'],
    ['letters, signs and emoji', 'Grüße – 你好 👍🏽 “x”', 'Grüße – 你好 👍🏽 “x”'],
  ])('removes %s and keeps the rest', (_name, text, plain) => {
    expect(plainText(text, 100)).toBe(plain);
  });

  it('truncates between characters, with an ellipsis', () => {
    expect(plainText('👍👍👍', 3)).toBe('👍\ufffd…');
    expect(plainText('x'.repeat(1_000_000), 5)).toBe('xxxxx…');
  });

  it('returns text that PostgreSQL and JSON accept, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const plain of [plainText(text, 50), plainLines(text, 50)]) {
          expect(plain.isWellFormed()).toBe(true);
          expect(plain).not.toMatch(/(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
          expect(plain.length).toBeLessThanOrEqual(51);
        }
        expect(plainText(text, 50)).not.toMatch(/[\t\n]/);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});

describe('plainLines', () => {
  it('keeps lines and tabs, and removes terminal control sequences', () => {
    expect(plainLines('a\r\n\tb\rc\u0000\u001b[2Jd', 100)).toBe('a\n\tb\ncd');
  });
});
