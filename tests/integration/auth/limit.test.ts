import { expect, it, vi } from 'vitest';
import { logInToDashboard } from '@/server/account/log-in-to-dashboard';
import { limitAuth } from '@/server/trpc/throttle';
import { codeOf, newPerson, outsider, PASSWORD } from './people';

vi.hoisted(() => {
  process.env.AUTH_RATE_LIMIT_PER_MINUTE = '3';
});

it('rejects a client address over its limit, and no other', async () => {
  for (let call = 0; call < 3; call += 1) expect(await codeOf(limitAuth('203.0.113.1'))).toBe('it succeeded');
  const error = await limitAuth('203.0.113.1').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });
  expect(await codeOf(limitAuth('203.0.113.2'))).toBe('it succeeded');
});

it('counts an IPv6 network as one client', async () => {
  for (const host of [1, 2, 3]) await limitAuth(`2001:db8::${host}`);
  expect(await codeOf(limitAuth('2001:db8::4'))).toBe('RATE_LIMITED');
});

it('applies to the sign-in of the dashboard', async () => {
  const { user } = await newPerson();
  const input = { email: user.email, password: PASSWORD };
  const signIn = () => codeOf(logInToDashboard({ ctx: outsider('203.0.113.3'), input }));
  expect([await signIn(), await signIn(), await signIn(), await signIn()]).toEqual([
    ...Array(3).fill('it succeeded'),
    'RATE_LIMITED',
  ]);
});
