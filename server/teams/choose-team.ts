import type { Db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';

/** The team a person signs in to: the one they last worked in, else the one they joined first; null without any. */
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
  // Of teams with the same last use, the first in the order of the rows stays.
  const [first, ...others] = rows;
  if (!first) return null;
  const { teamId, role } = others.reduce((best, row) => (lastUse(row) > lastUse(best) ? row : best), first);
  return { teamId, role };
}
