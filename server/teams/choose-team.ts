import type { Db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';

/** The team a person signs in to: the one they last worked in, else the one they joined first; null without any. */
export async function chooseTeam(db: Db, userId: string): Promise<{ teamId: string; role: Role } | null> {
  const rows = await db.$queryRaw<{ teamId: string; role: Role }[]>`
    select m.team_id as "teamId", m.role::text as role
    from memberships m
    left join lateral (
      select max(s.last_used_at) as at from sessions s where s.user_id = m.user_id and s.team_id = m.team_id
    ) last on true
    where m.user_id = ${userId}
    order by last.at desc nulls last, m.created_at, m.team_id
    limit 1`;
  return rows[0] ?? null;
}
