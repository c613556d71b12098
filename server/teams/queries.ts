import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Member } from './schema';

export const memberSelect = {
  role: true,
  createdAt: true,
  user: { select: { id: true, email: true, name: true } },
} satisfies Prisma.MembershipSelect;

type MemberRow = Prisma.MembershipGetPayload<{ select: typeof memberSelect }>;

/** A row as returned. */
export function toMember({ user, role, createdAt }: MemberRow): Member {
  return { ...user, role, createdAt: createdAt.toISOString() };
}

/** A member of a team, or null. */
export async function findMember(db: Db, teamId: string, userId: string): Promise<Member | null> {
  const row = await db.membership.findUnique({ where: { teamId_userId: { teamId, userId } }, select: memberSelect });
  return row && toMember(row);
}
