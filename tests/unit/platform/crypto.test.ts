import { describe, expect, it, vi } from 'vitest';
import { randomToken, safeEqual, seal, sha256, unseal } from '@/server/platform/crypto';
import { isMask, maskSecret, openSecret, sealSecret } from '@/server/platform/secrets';

async function cryptoUnder(appSecret: string, previous = '') {
  vi.stubEnv('APP_SECRET', appSecret);
  vi.stubEnv('APP_SECRET_PREVIOUS', previous);
  vi.resetModules();
  return import('@/server/platform/crypto');
}

describe('seal', () => {
  it.each(['', 'whsec_abc', 'naïve 🔑\n', 'x'.repeat(10_000)])('is reversed by open', (plain) => {
    expect(unseal(seal(plain))).toBe(plain);
  });

  it('never produces the same output twice, and reveals nothing', () => {
    const sealed = seal('hunter22');
    expect(sealed).not.toBe(seal('hunter22'));
    expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/);
    expect(sealed).not.toContain('hunter22');
  });

  it('detects a change of any byte', () => {
    const [version, keyId, body = ''] = seal('hunter22').split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => unseal(`${version}.${keyId}.${changed.toString('base64url')}`)).toThrow();
    }
  });

  it.each(['', 'hunter22', 'v1.abc', 'v2.abcdefgh.AAAA', 'v1.abcdefgh.AAAA', 'a.b.c.d'])('rejects %j', (text) => {
    expect(() => unseal(text)).toThrow();
  });

  it('rejects a body too short for a tag', () => {
    expect(() => unseal(`${seal('').split('.').slice(0, 2).join('.')}.AAAA`)).toThrow('Not a sealed text');
  });

  it('opens in another process with the same secret, and fails with another', async () => {
    const first = await cryptoUnder('the first secret of this instance');
    const sealed = first.seal('hunter22');
    expect((await cryptoUnder('the first secret of this instance')).unseal(sealed)).toBe('hunter22');
    const other = await cryptoUnder('another secret of this instance');
    expect(() => other.unseal(sealed)).toThrow('another APP_SECRET');
    expect(other.previousSeal()).toBeNull();
  });

  it('opens with the previous secret, and seals with the current one', async () => {
    const before = (await cryptoUnder('the first secret of this instance')).seal('hunter22');
    const both = await cryptoUnder('another secret of this instance', 'the first secret of this instance');
    expect(both.unseal(before)).toBe('hunter22');
    const old = both.previousSeal() ?? '';
    expect(before.startsWith(old)).toBe(true);
    const after = both.seal('hunter22');
    expect(after.startsWith(old)).toBe(false);
    expect((await cryptoUnder('another secret of this instance')).unseal(after)).toBe('hunter22');
    const same = await cryptoUnder('another secret of this instance', 'another secret of this instance');
    expect(same.previousSeal()).toBeNull();
  });
});

it('hashes with SHA-256', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('generates tokens of the requested strength', () => {
  expect(Buffer.from(randomToken(), 'base64url')).toHaveLength(32);
  expect(Buffer.from(randomToken(16), 'base64url')).toHaveLength(16);
  expect(randomToken()).not.toBe(randomToken());
});

it.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['', '', true],
  ['é', 'e', false],
])('returns for safeEqual(%j, %j) %s', (a, b, expected) => {
  expect(safeEqual(a, b)).toBe(expected);
});

describe('mask of a sealed secret', () => {
  it.each([
    ['whsec_0123456789', '6789'],
    ['12345678', '5678'],
    ['1234567', ''],
    ['', ''],
    ['abcdef🔑🔒🔓🗝', '🔑🔒🔓🗝'],
  ])('shows of %j only %j', (plain, hint) => {
    const secret = sealSecret(plain);
    expect(secret.hint).toBe(hint);
    expect(maskSecret(secret)).toBe(`••••${hint}`);
    expect(openSecret(secret)).toBe(plain);
  });

  it('matches its own secret only', () => {
    const secret = sealSecret('whsec_0123456789');
    expect(isMask('••••6789', secret)).toBe(true);
    expect(isMask('••••0000', secret)).toBe(false);
    expect(isMask('••••', secret)).toBe(false);
    expect(isMask('whsec_0123456789', secret)).toBe(false);
  });

  it('survives a JSON round trip', () => {
    expect(openSecret(JSON.parse(JSON.stringify(sealSecret('whsec_0123456789'))))).toBe('whsec_0123456789');
  });
});
