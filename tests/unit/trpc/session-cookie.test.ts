import { hkdfSync } from 'node:crypto';
import { EncryptJWT } from 'jose';
import { decode, encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { authOptions } from '@/server/account/next-auth';
import { accessTokenKey, sessionCookieSecret } from '@/server/trpc/keys';
import { readSessionCookie, SESSION_COOKIE } from '@/server/trpc/session';

const content = { sid: 'session', userId: 'user', sv: 3 };
const cookie = (token: object, secret = sessionCookieSecret(), maxAge = 60) =>
  encode({ token: { ...token }, secret, maxAge });

describe('session cookie', () => {
  it('is found among others', async () => {
    const value = await cookie(content);
    expect(await readSessionCookie(`a=b; ${SESSION_COOKIE}=${value}; ${SESSION_COOKIE}-old=x`)).toEqual(content);
  });

  it('is joined from its chunks in any order', async () => {
    const value = await cookie({ ...content, more: 'x'.repeat(9_000) });
    const parts = Array.from({ length: 11 }, (_, n) => value.slice(n * 1_200, n === 10 ? undefined : (n + 1) * 1_200));
    const header = parts.map((part, n) => `${SESSION_COOKIE}.${n}=${part}`).reverse();
    expect(await readSessionCookie(header.join('; '))).toEqual(content);
  });

  it('is invalid if absent, altered, expired, or of another secret or content', async () => {
    const value = await cookie(content);
    const headers = [
      null,
      '',
      'next-auth.session-token=x',
      `${SESSION_COOKIE}=`,
      `${SESSION_COOKIE}=${value.slice(0, -4)}AAAA`,
      `${SESSION_COOKIE}=${await cookie(content, sessionCookieSecret(), -60)}`,
      `${SESSION_COOKIE}=${await cookie(content, 'another secret')}`,
      `${SESSION_COOKIE}=${await cookie({ sid: 'session' })}`,
    ];
    for (const header of headers) expect(await readSessionCookie(header)).toBeNull();
  });

  it('is not decrypted with an algorithm that the sender chose', async () => {
    const secret = sessionCookieSecret();
    const key = new Uint8Array(hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32));
    const costly = new EncryptJWT(content).setProtectedHeader({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM' });
    const token = await costly.setKeyManagementParameters({ p2c: 5_000 }).setExpirationTime('1m').encrypt(key);
    expect(await decode({ token, secret })).toMatchObject(content);
    expect(await readSessionCookie(`${SESSION_COOKIE}=${token}`)).toBeNull();
    expect(await authOptions().jwt?.decode?.({ token, secret })).toBeNull();
  });

  it('shares no key with access tokens', () => {
    expect(accessTokenKey().export().toString('base64url')).not.toBe(sessionCookieSecret());
  });
});
