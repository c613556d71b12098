import '@/tests/support/default-limits';
import { NextRequest } from 'next/server';
import { describe, expect, it, vi } from 'vitest';
import { authOptions } from '@/server/account/next-auth';
import { safeRequest } from '@/server/api/next-auth';
import { env } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { resolveActor } from '@/server/trpc/resolve-actor';
import { codeOf, newEmail, newPerson, PASSWORD } from './people';

const { providers, callbacks, events } = authOptions();

let forms = 0;

/** Signs in as the form does, each time from another address. */
function authorize(credentials: Record<string, string>, address = `203.0.113.${forms++}`) {
  const [provider] = providers;
  if (provider?.type !== 'credentials') throw new Error('There is no sign-in by password.');
  const { options } = provider as unknown as { options: Pick<typeof provider, 'authorize'> };
  const request = { headers: { 'x-upwatch-address': address }, method: 'POST', body: {}, query: {} };
  // next-auth passes on its own form fields, too.
  const form = { csrfToken: 'token', json: 'true', callbackUrl: 'http://127.0.0.1:3000/login', redirect: 'false' };
  return options.authorize({ ...form, ...credentials }, request);
}

describe('dashboard sign-in', () => {
  it('opens a session that ends with signing out', async () => {
    const { user } = await newPerson();
    const signedIn = await authorize({ email: user.email, password: PASSWORD });
    expect(signedIn).toEqual({ id: user.id, sid: expect.any(String), sv: 1 });
    const credential = { kind: 'session' as const, sid: signedIn?.sid ?? '', userId: user.id, sv: 1 };
    expect(await resolveActor(credential)).toMatchObject({ user: { id: user.id }, sessionKind: 'dashboard' });
    await events?.signOut?.({ token: { sid: credential.sid }, session: { expires: '' } });
    expect(await codeOf(resolveActor(credential))).toBe('UNAUTHENTICATED');
  });

  it('fails with a wrong password, an unknown address or an incomplete form', async () => {
    const { user } = await newPerson();
    expect(await authorize({ email: user.email, password: 'wrong' })).toBeNull();
    expect(await authorize({ email: 'nobody@example.com', password: PASSWORD })).toBeNull();
    expect(await authorize({ email: user.email })).toBeNull();
  });

  it('is throttled per account and per client address', async () => {
    const { user } = await newPerson();
    for (let guess = 0; guess < 10; guess += 1) await authorize({ email: user.email, password: 'wrong' });
    await expect(authorize({ email: user.email, password: PASSWORD })).rejects.toThrow(/^RATE_LIMITED$/);
    const elsewhere = () => authorize({ email: newEmail(), password: 'wrong' }, '192.0.2.99');
    for (let call = 0; call < env.authRateLimitPerMinute; call += 1) expect(await elsewhere()).toBeNull();
    await expect(elsewhere()).rejects.toThrow(/^RATE_LIMITED$/);
  });

  it('puts no personal data into the cookie or the session that a page can read', async () => {
    const user = { id: 'u', sid: 's', sv: 1, email: 'ada@example.com', name: 'Ada' };
    const token = await callbacks?.jwt?.({ token: { email: user.email }, user, account: null });
    expect(token).toEqual({ sid: 's', userId: 'u', sv: 1 });
  });
});

describe('errors of next-auth', () => {
  it('logs errors of next-auth, except for a forged cookie', () => {
    const warned = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
    const { logger } = authOptions();
    logger?.error?.('JWT_SESSION_ERROR', new Error('Invalid Compact JWE'));
    expect(warned).not.toHaveBeenCalled();
    logger?.error?.('SIGNOUT_ERROR', new Error('The session could not be ended'));
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });
});

describe('redirect after signing in or out', () => {
  const baseUrl = 'http://localhost:3000';
  it.each([
    ['/monitors', 'http://localhost:3000/monitors'],
    ['http://localhost:3000/a?b=c', 'http://localhost:3000/a?b=c'],
    ['https://localhost:3000/a', 'https://localhost:3000/a'],
    [`${env.appUrl}/a`, `${env.appUrl}/a`],
    ['http://evil.example/a', baseUrl],
    ['//evil.example/a', baseUrl],
    ['/\\evil.example', baseUrl],
    ['javascript:alert(1)', baseUrl],
    ['http://', baseUrl],
  ])('leads from %s to %s', async (url, target) => expect(await callbacks?.redirect?.({ url, baseUrl })).toBe(target));
});

describe('request passed to next-auth', () => {
  const post = (contentType: string, body: string) =>
    safeRequest(
      new NextRequest('http://127.0.0.1/api/auth/callback/credentials', {
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
      }),
      'POST',
    );

  it('is a form, whatever else its content type says', async () => {
    const request = await post('application/x-www-form-urlencoded; note=application/json', 'email=a');
    // next-auth looks for "application/json" anywhere in the header, and fails on a body that is not JSON.
    expect([request.headers.get('content-type'), await request.text()]).toEqual([
      'application/x-www-form-urlencoded',
      'email=a',
    ]);
  });

  it.each(['application/json; application/x-www-form-urlencoded', 'application/json', 'text/plain'])(
    'has no body if the content type is %s',
    async (contentType) => {
      expect(await (await post(contentType, 'x=%')).text()).toBe('');
    },
  );
});
