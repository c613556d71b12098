import type { Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';

/** Creates a team on the instance's default plan, with its first owner. Answers the team's id. */
export async function createTeam(tx: Tx, { name, ownerId }: { name: string; ownerId: string }): Promise<string> {
  const plan = env.defaultPlan ?? (env.stripe ? 'free' : 'self_hosted');
  const id = newId();
  await tx.team.create({ data: { id, name, plan, memberships: { create: { userId: ownerId, role: 'owner' } } } });
  return id;
}
