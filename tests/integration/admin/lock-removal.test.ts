import { expect, it } from 'vitest';
import { lockRemoval } from '@/server/admin/delete-rows';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { signUp } from '@/tests/support/rest';

it('opens an incident while a team is being deleted, without either waiting for the other', async () => {
  const { userId, teamId } = await signUp();
  const opened = await db.$transaction(async (removal) => {
    expect(await lockRemoval(removal, userId)).toBe(true);
    return await db.$transaction(async (worker) => {
      await worker.$executeRaw`set local lock_timeout = '1s'`;
      const data = { id: newId(), teamId, type: 'manual' as const, status: 'open' as const, startedAt: new Date() };
      return await worker.incident.create({ data });
    });
  });
  expect(opened.teamId).toBe(teamId);
});
