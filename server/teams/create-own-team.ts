import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockUser } from '@/server/platform/locks';
import type { PersonContext } from '@/server/trpc/contexts';
import { createTeam } from './create-team';
import type { Team, TeamInput } from './schema';

/** Each team has the free plan's monitors: without an end, one person could have any number of them. */
const MOST_OWNED = 20;

/**
 * Creates another team of the caller's, on the instance's default plan. They go on in the one they are in; `switchTeam`
 * leads to the new one.
 * @throws AppError PLAN_LIMIT_REACHED (the caller owns 20 teams)
 */
export async function createOwnTeam({ ctx, input: { name } }: { ctx: PersonContext; input: TeamInput }): Promise<Team> {
  const ownerId = ctx.user.id;
  return ctx.db.$transaction(async (tx) => {
    await lockUser(tx, ownerId);
    if ((await tx.membership.count({ where: { userId: ownerId, role: 'owner' } })) >= MOST_OWNED) {
      throw new AppError('PLAN_LIMIT_REACHED', `You own ${MOST_OWNED} teams, which is the maximum.`);
    }
    const id = await createTeam(tx, { name, ownerId });
    await recordAudit(tx, ctx, { teamId: id, action: 'team.create', target: { type: 'team', id, name } });
    return { id, name, role: 'owner' };
  });
}
