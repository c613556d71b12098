import type { Me } from '@/server/auth/schema';
import { listOwnTeams } from '@/server/teams/list-own-teams';
import type { PersonContext } from '@/server/trpc/contexts';

/** Returns the signed-in user, the current team, and all of their teams. */
export async function getMe({ ctx }: { ctx: PersonContext }): Promise<Me> {
  const { actor, user } = ctx;
  const { timeZone } = await ctx.db.user.findUniqueOrThrow({ where: { id: user.id }, select: { timeZone: true } });
  return {
    user: { ...user, timeZone },
    teamId: actor.team?.id ?? null,
    role: actor.role,
    teams: await listOwnTeams({ ctx }),
  };
}
