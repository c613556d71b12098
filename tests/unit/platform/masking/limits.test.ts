import { describe, expect, it } from 'vitest';
import { indexOf } from '@/server/platform/masking/known-indexes';
import { SMALL_WORK } from '@/server/platform/masking/mask-apart';
import { Masker } from '@/server/platform/masking/masker';
import type { Secret } from '@/server/platform/masking/parts';

const KIB = 1024;
const credential = (value: string): Secret => ({ value, kind: 'credential' });
const token = [credential('Bearer tok_4f9a8b7c6d5e4f9a8b7c6d5e')];

/** Text of `length` characters without a repetition: a linear congruential generator. */
function various(length: number, alphabet: string): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return alphabet[state % alphabet.length];
  }).join('');
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An ordinary page: elements, attributes, entities, links and words. */
function page(length: number): string {
  const words = ['service', 'container', 'navigation', 'unavailable', 'footer', 'the', 'request', 'products'];
  const word = (index: number) => words[index % words.length];
  const lines = Array.from({ length: length / 100 }, (_, index) => {
    const link = `<a href="/products/${index * 7919}?page=${index}&amp;sort=asc">`;
    return `<div class="${word(index)}-${word(index + 5)}" alt="">${link}${word(index)} &quot;${word(index + 3)}&quot;</a></div>`;
  });
  return lines.join('\n').slice(0, length);
}

const workOn = (text: string, secrets = token) => {
  const masker = new Masker(secrets);
  masker.mask(text, true);
  return masker.work;
};

describe('the work of a Masker', () => {
  it('is so little for a page of 16 KiB that the caller’s thread does it', () => {
    expect(page(16 * KIB)).toHaveLength(16 * KIB);
    // The former code needed 300,000.
    expect(workOn(page(16 * KIB))).toBeLessThan(SMALL_WORK / 1.5);
  });

  it.each([
    ['words', 'the service is unavailable while a request fails '.repeat(700)],
    ['random base64', various(32 * KIB, `${LETTERS}+/`)],
    ['random base64 in lines', various(32 * KIB, `${LETTERS}+/`).replace(/.{76}/g, '$&\n')],
    ['random hexadecimal digits', various(32 * KIB, '0123456789abcdef')],
    ['random bytes as Latin-1', various(32 * KIB, String.fromCharCode(...Array.from({ length: 256 }, (_, at) => at)))],
  ])('is at most eight bytes per byte of %s, since noise is not decoded further', (_what, text) => {
    expect(workOn(text.slice(0, 32 * KIB))).toBeLessThanOrEqual(8 * Buffer.byteLength(text));
  });

  it.each([
    ['base64 whose every phase is text', 'AQAQ'],
    ['base64 in base64', Buffer.from(Buffer.from('AQAQAQAQAQAQ').toString('base64')).toString('base64')],
    ['layers of percent signs', `%${'25'.repeat(40)}41`],
    ['layers of backslashes', '\\'.repeat(64)],
    ['references without an end', '&#x41&amp'],
    ['quoted-printable', '=3D=\n'],
    ['a dump of a dump', '00000000: 3030 3030 3030 3030  00000000\n'],
    ['numbers of bytes', '97, 97; 97 '],
    ['terminal commands', 'a\u001b[31m'],
  ])('is bounded for %s', (_what, unit) => {
    const text = unit.repeat(32 * KIB).slice(0, 32 * KIB);
    const masker = new Masker(token);
    masker.mask(text, true);
    // The view that exceeds the bound is counted too.
    expect(masker.work).toBeLessThanOrEqual(49 * text.length + 16 * KIB);
  });

  it('ends where its caller says: every further text is null', () => {
    const masker = new Masker(token, 100);
    expect(masker.mask('a short text')).toBe('a short text');
    expect(masker.isExhausted).toBe(false);
    expect(masker.mask('x'.repeat(200))).toBeNull();
    expect(masker.isExhausted).toBe(true);
    expect(masker.mask('a short text')).toBeNull();
  });
});

describe('the secrets of a Masker', () => {
  const secrets = (count: number, size: number) =>
    Array.from({ length: count }, (_, index) =>
      credential(various(size, LETTERS).slice(index) + LETTERS.slice(0, index)),
    );

  it('finds all secrets of a Masker up to 256 KiB', () => {
    const many = secrets(50, 4_096);
    const masker = new Masker(many);
    for (const { value } of many) expect(masker.mask(`a ${value.slice(2_000, 2_012)} b`)).toBe('a •••• b');
  });

  it('return no text beyond that, since nothing can be promised', () => {
    const masker = new Masker(secrets(66, 4_096));
    expect(masker.mask('a harmless text')).toBeNull();
  });

  it('indexes secrets once while they are in use, and forgets them when others need the place', () => {
    const first = indexOf(secrets(1, 4_096));
    expect(indexOf(secrets(1, 4_096))).toBe(first);
    expect(indexOf(secrets(2, 4_096))).not.toBe(first);
    for (let index = 0; index < 3; index += 1) indexOf([credential(various(250 * KIB, `${LETTERS}${index}`))]);
    expect(indexOf(secrets(1, 4_096))).not.toBe(first);
  });
});
