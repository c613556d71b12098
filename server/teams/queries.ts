import type { Db, Tx } from '@/server/platform/db';
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

/** Raises the revision numbers of on-call schedules in calendar feeds. */
export async function raiseSequences(tx: Tx, scheduleIds: string[]): Promise<void> {
  if (scheduleIds.length === 0) return;
  // Raw: a model call would also set `updated_at`, which edits of a schedule compare.
  await tx.$executeRaw`update on_call_schedules set sequence = sequence + 1 where id = any(${scheduleIds})`;
}
