import type { IdPage } from '@/server/lists/schema';
import type { Call } from '@/server/trpc/contexts';
import { memberSelect, toMember } from './queries';
import type { Member } from './schema';

/** Returns the members of the caller's team, oldest account first. The cursor is the ID of the last one. */
export async function listMembers({
  ctx,
  input: { limit, cursor },
}: Call<IdPage>): Promise<{ members: Member[]; nextCursor: string | null }> {
  const rows = await ctx.db.membership.findMany({
    where: { teamId: ctx.team.id, ...(cursor !== undefined && { userId: { gt: cursor } }) },
    select: memberSelect,
    orderBy: { userId: 'asc' },
    take: limit + 1,
  });
  const members = rows.slice(0, limit).map(toMember);
  return { members, nextCursor: rows.length > limit ? (members.at(-1)?.id ?? null) : null };
}
