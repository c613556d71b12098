import { recordAudit } from '@/server/audit/record-audit';
import { AppError } from '@/server/platform/errors';
import { lockUser } from '@/server/platform/locks';
import type { Call, PersonContext } from '@/server/trpc/contexts';
import { createTeam } from './create-team';
import type { Team, TeamInput } from './schema';

/** The maximum number of teams that a user owns, because each team has its own plan limits. */
const MOST_OWNED = 20;

/**
 * Creates a team owned by the caller on the instance's default plan. The current team does not change; use `switchTeam`.
 * @throws AppError PLAN_LIMIT_REACHED (the caller owns 20 teams)
 */
export async function createOwnTeam({ ctx, input: { name } }: Call<TeamInput, PersonContext>): Promise<Team> {
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
