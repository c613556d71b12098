import { cutPage } from '@/server/lists/cut-page';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Call, PersonContext } from '@/server/trpc/contexts';
import type { ListedUsers, ListUsersInput } from './schema';

/** Matches accounts with this ID, or with this text in their address or name, ignoring case. Wildcards are escaped. */
function matching(query: string): Prisma.UserWhereInput {
  const contains = query.replace(/[\\%_]/g, '\\$&');
  return {
    OR: [{ id: query }, { email: { contains, mode: 'insensitive' } }, { name: { contains, mode: 'insensitive' } }],
  };
}

/** Returns a page of accounts with their teams, newest first. The cursor is the last ID of the previous page. */
export async function listUsers({
  ctx,
  input: { query, limit, cursor },
}: Call<ListUsersInput, PersonContext>): Promise<ListedUsers> {
  const rows = await ctx.db.user.findMany({
    where: { ...(cursor !== undefined && { id: { lt: cursor } }), ...(query && matching(query)) },
    select: {
      id: true,
      email: true,
      name: true,
      isAdmin: true,
      createdAt: true,
      memberships: {
        select: { role: true, team: { select: { id: true, name: true } } },
        orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
      },
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  const users = page.map(({ memberships, ...user }) => ({
    ...user,
    createdAt: user.createdAt.toISOString(),
    teams: memberships.map(({ role, team }) => ({ ...team, role })),
  }));
  return { users, nextCursor };
}
