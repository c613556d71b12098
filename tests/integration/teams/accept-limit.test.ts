import { expect, it, vi } from 'vitest';
import { rest, signUp } from '@/tests/support/rest';
import { acceptAsNew, codeIn, tokenOf } from './support';

vi.hoisted(() => {
  process.env.AUTH_RATE_LIMIT_PER_MINUTE = '4';
  process.env.SIGNUPS = 'invite';
});

it('accepts invitations if sign-up is closed, and counts attempts', async () => {
  const owner = await signUp();
  const token = await tokenOf(owner);
  const again = await rest('POST', '/auth/signup', {
    body: { email: 'a@example.test', password: 'long enough password' },
  });
  expect(codeIn(again)).toBe('403 FORBIDDEN');
  expect(codeIn(await acceptAsNew(token))).toBe('201 done');
  for (const _guess of [1, 2]) expect(codeIn(await acceptAsNew('guess'))).toBe('400 INVITATION_INVALID');
  const limited = await acceptAsNew('guess');
  expect(codeIn(limited)).toBe('429 RATE_LIMITED');
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  // Viewing an invitation does not count as an attempt.
  expect((await rest('GET', `/auth/invite/${token}`)).status).toBe(200);
});
