import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Call } from '@/server/trpc/contexts';
import { memberSelect, toMember } from './queries';
import type { ListMembersInput, Member } from './schema';

/** Matches people with this ID, or with this text in their name or address, ignoring case. Wildcards are escaped. */
function matching(query: string): Prisma.UserWhereInput {
  const contains = { contains: query.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const };
  return { OR: [{ id: query }, { name: contains }, { email: contains }] };
}

/** Returns the members of the caller's team, oldest account first. The cursor is the ID of the last one. */
export async function listMembers({
  ctx,
  input: { limit, cursor, query },
}: Call<ListMembersInput>): Promise<{ members: Member[]; nextCursor: string | null }> {
  const rows = await ctx.db.membership.findMany({
    where: {
      teamId: ctx.team.id,
      ...(cursor !== undefined && { userId: { gt: cursor } }),
      ...(query && { user: matching(query) }),
    },
    select: memberSelect,
    orderBy: { userId: 'asc' },
    take: limit + 1,
  });
  const members = rows.slice(0, limit).map(toMember);
  return { members, nextCursor: rows.length > limit ? (members.at(-1)?.id ?? null) : null };
}
