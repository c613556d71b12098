import type { Me } from '@/server/auth/schema';
import type { PersonContext } from '@/server/trpc/contexts';

/** Returns the caller's teams in the order of joining, with their role in each. */
export async function listOwnTeams({ ctx }: { ctx: PersonContext }): Promise<Me['teams']> {
  const memberships = await ctx.db.membership.findMany({
    where: { userId: ctx.user.id },
    select: { role: true, team: { select: { id: true, name: true } } },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
  });
  return memberships.map(({ role, team }) => ({ ...team, role }));
}
