import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Masker } from '@/server/platform/masking/masker';
import { plainLines } from '@/server/platform/plain-text';

const RUN = 8;
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const each = (pattern: RegExp, to: (character: string) => string) => (text: string) => text.replace(pattern, to);
const special = /[^A-Za-z0-9]/g;
const any = /[\s\S]/g;

/** Encodings that leave the order of characters: what a run of a secret becomes is the encoding of the run. */
const escapes: Record<string, (text: string) => string> = {
  'plain text': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1),
  'JSON of PHP': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON of .NET': each(special, (c) => `\\u${hex(c.charCodeAt(0), 4).toUpperCase()}`),
  'HTML of Razor': each(special, (c) => `&#x${hex(c.charCodeAt(0), 1).toUpperCase()};`),
  'HTML of Go': each(special, (c) => `&#${c.charCodeAt(0)};`),
  'HTML of PHP': each(special, (c) => `&#0${c.charCodeAt(0)};`),
  'named entities': each(
    /[&<>"'=+]/g,
    (c) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '=': 'equals', '+': 'plus' }[c]};`,
  ),
  'repr of Python': each(special, (c) => `\\x${hex(c.charCodeAt(0), 2)}`),
  octal: each(special, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`),
  percent: each(any, (c) => `%${hex(c.charCodeAt(0), 2)}`),
  'percent twice': each(special, (c) => `%25${hex(c.charCodeAt(0), 2).toUpperCase()}`),
  'ANSI commands between': each(any, (c) => `${c}\u001b[31m`),
  'escaped ANSI commands between': each(any, (c) => `${JSON.stringify(c).slice(1, -1)}\\u001b[0m`),
  'controls between': each(any, (c) => `${c}\u0001`),
  'zero-width spaces between': each(any, (c) => `${c}&#8203;`),
};

const xxd = (text: string) =>
  Array.from({ length: Math.ceil(text.length / 16) }, (_, line) => {
    const part = Buffer.from(text.slice(line * 16, line * 16 + 16));
    const digits = part.toString('hex').replace(/(.{1,4})/g, '$1 ');
    return `${hex(line * 16, 8)}: ${digits.padEnd(41)}${part.toString('latin1')}`;
  }).join('\n');

const wrapped = (text: string, size: number) => text.replace(new RegExp(`(.{${size}})`, 'g'), '$1\r\n');

/** Encodings of bytes. */
const binary: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 wrapped': (text) => wrapped(Buffer.from(text).toString('base64'), 19),
  'base64 wrapped in JSON': (text) => JSON.stringify(wrapped(Buffer.from(text).toString('base64'), 19)),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal with colons': (text) => Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '$&:'),
  'a list of bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  xxd,
};

const secrets = fc.string({
  minLength: 12,
  maxLength: 60,
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
});
const masked = (secret: string, text: string, isCut = false) => {
  const masker = new Masker([{ value: secret, kind: 'credential' }]);
  const once = plainLines(masker.mask(plainLines(text, text.length), isCut) ?? '', text.length);
  return masker.mask(once) ?? '';
};

describe('Masker', () => {
  it.each(Object.entries(escapes))(
    'leaves no run of 8 characters of a secret in %s, also where the text is cut',
    (_name, encode) => {
      fc.assert(
        fc.property(secrets, fc.nat(100), (secret, share) => {
          const whole = encode(secret);
          for (const text of [`before ${whole} after`, `before ${whole.slice(0, (whole.length * share) / 100)}`]) {
            const clean = masked(secret, text, true);
            for (let at = 0; at + RUN <= secret.length; at += 1) {
              expect(clean).not.toContain(plainLines(encode(secret.slice(at, at + RUN)), 1_000));
            }
            expect(clean.startsWith('before ')).toBe(true);
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  it.each(Object.entries(binary))('leaves at most the ends of a secret in %s', (_name, encode) => {
    fc.assert(
      fc.property(secrets, fc.constantFrom(...Object.values(escapes).slice(0, 6)), (secret, escaped) => {
        const whole = encode(escaped(secret));
        const clean = masked(secret, `before: <pre>${whole}</pre> after`);
        expect(clean).toContain('••••');
        expect(clean.replace('••••', '').replace(/\s+/g, '').length).toBeLessThanOrEqual(
          'before: <pre></pre> after'.length + 40,
        );
      }),
      { numRuns: 40 },
    );
  });

  it('keeps ordinary text readable', () => {
    const text =
      'The service is unavailable: {"db":"away","path":"C:\\\\new\\\\table"} &amp; 100 % of requests failed.\n';
    const tokens = [{ value: 'Bearer tok_4f9a8b7c6d5e', kind: 'credential' as const }];
    expect(new Masker(tokens).mask(text)).toBe(text);
  });

  it.each([
    ['a repeated letter', 'a'],
    ['layers of escapes', '\\\\u005cu0061&amp;'],
    ['nested base64', Buffer.from(Buffer.from('aaaaaaaa'.repeat(9)).toString('base64')).toString('base64')],
    ['bytes of a dump', '00000000: 6161 6161 6161 6161  aaaaaaaa\n'],
  ])('does work in proportion to a text of %s', (_name, unit) => {
    const many = Array.from({ length: 24 }, (_, index) => ({
      value: 'a'.repeat(3_977 + index),
      kind: 'credential' as const,
    }));
    const workOf = (length: number) => {
      const masker = new Masker(many);
      masker.mask(unit.repeat(length).slice(0, length), true);
      return masker.work;
    };
    expect(workOf(32_768)).toBeLessThanOrEqual(2.5 * workOf(16_384));
    expect(workOf(32_768)).toBeLessThanOrEqual(65 * 32_768 + 500_000);
  });
});
