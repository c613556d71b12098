import { describe, expect, it } from 'vitest';
import { maskApart } from '@/server/platform/masking/mask-apart';
import type { Secret } from '@/server/platform/masking/parts';

const secret = 'tok_4f9a8b7c6d5e';
const secrets: Secret[] = [{ value: secret, kind: 'credential' }];
const options = { team: 'team' };
const MIB = 1024 * 1024;
const long = `before ${secret} after ${'x y '.repeat(64 * 1024)}`;
const clean = long.replace(secret, '••••');

describe('maskApart', () => {
  it('masks texts of any size in their order: short ones at once, the rest in a thread', async () => {
    const texts = [{ text: `a ${secret}` }, { text: long }, { text: 'none' }, { text: 'cut: tok_4f9a', isCut: true }];
    expect(await maskApart(secrets, texts, options)).toEqual(['a ••••', clean, 'none', 'cut: ••••']);
  });

  it('masks many long secrets in a thread', async () => {
    const many = Array.from({ length: 24 }, (_, index): Secret => {
      return { value: `${secret}-${index}-${'ab1'.repeat(1_300)}`, kind: 'credential' };
    });
    expect(await maskApart(many, [{ text: `a ${secret}-7- b` }], options)).toEqual(['a •••• b']);
  });

  it('returns null for what exceeds the limits of the task, and for secrets that are too large', async () => {
    expect(await maskApart(secrets, [{ text: 'a' }, { text: 'x y '.repeat(2 * MIB) }], options)).toEqual(['a', null]);
    const large: Secret[] = [{ value: 'ab1'.repeat(100_000), kind: 'credential' }];
    expect(await maskApart(large, [{ text: 'a harmless text' }], options)).toEqual([null]);
  });

  it('returns texts as they are where there are no secrets', async () => {
    expect(await maskApart([], [{ text: long }], options)).toEqual([long]);
  });

  it('rejects if the caller ends it', async () => {
    const signal = AbortSignal.abort(new Error('The worker stops'));
    await expect(maskApart(secrets, [{ text: long }], { ...options, signal })).rejects.toThrow('The worker stops');
  });
});
