import { defaultPlan } from '@/server/plans/default-plan';
import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';

/**
 * Creates a team on the instance's default plan with its first owner.
 * @returns the ID of the team
 */
export async function createTeam(tx: Tx, { name, ownerId }: { name: string; ownerId: string }): Promise<string> {
  const id = newId();
  await tx.team.create({
    data: { id, name, plan: defaultPlan(), memberships: { create: { userId: ownerId, role: 'owner' } } },
  });
  return id;
}
