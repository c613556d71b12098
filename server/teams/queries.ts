import type { Db, Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Member } from './schema';

export const memberSelect = {
  role: true,
  createdAt: true,
  user: { select: { id: true, email: true, name: true } },
} satisfies Prisma.MembershipSelect;

type MemberRow = Prisma.MembershipGetPayload<{ select: typeof memberSelect }>;

/** Maps a row to the API's form. */
export function toMember({ user, role, createdAt }: MemberRow): Member {
  return { ...user, role, createdAt: createdAt.toISOString() };
}

/** Returns a member of a team; null if the user is not a member. */
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
