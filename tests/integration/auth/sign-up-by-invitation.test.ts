import { expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { codeOf, newPerson, raced } from './people';

vi.hoisted(() => {
  process.env.SIGNUPS = 'invite';
  process.env.DEFAULT_PLAN = 'pro';
});

it('accepts the first account, one of several concurrent ones, and then none', async () => {
  const codes = await raced(
    (tx) => tx.$executeRaw`lock table users in exclusive mode`,
    Array.from({ length: 4 }, () => () => codeOf(newPerson())),
  );
  expect(codes.sort()).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'it succeeded']);
  expect(await codeOf(newPerson())).toBe('FORBIDDEN');
  expect(await db.user.findMany({ select: { isAdmin: true } })).toEqual([{ isAdmin: true }]);
  expect(await db.team.findMany({ select: { plan: true } })).toEqual([{ plan: 'pro' }]);
});
