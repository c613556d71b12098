import type { Db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';

/** Returns the team that a user signs in to: the last used one, else the one they joined first; null without a team. */
export async function chooseTeam(db: Db, userId: string): Promise<{ teamId: string; role: Role } | null> {
  const rows = await db.membership.findMany({
    where: { userId },
    select: {
      teamId: true,
      role: true,
      team: {
        select: {
          sessions: { where: { userId }, select: { lastUsedAt: true }, orderBy: { lastUsedAt: 'desc' }, take: 1 },
        },
      },
    },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
  });
  const lastUse = ({ team }: (typeof rows)[number]) =>
    team.sessions[0]?.lastUsedAt.getTime() ?? Number.NEGATIVE_INFINITY;
  // Among teams with the same last use, the first row wins.
  const [first, ...others] = rows;
  if (!first) return null;
  const { teamId, role } = others.reduce((best, row) => (lastUse(row) > lastUse(best) ? row : best), first);
  return { teamId, role };
}
