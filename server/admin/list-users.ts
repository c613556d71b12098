import type { PersonContext } from '@/server/auth/contexts';
import type { AdminUser, ListedUsers, ListUsersInput } from './schema';

interface Row extends Omit<AdminUser, 'createdAt'> {
  createdAt: Date;
}

/** Accounts, newest first, with their teams. The cursor is the last one's id. */
export async function listUsers({
  ctx,
  input: { query, limit, cursor },
}: {
  ctx: PersonContext;
  input: ListUsersInput;
}): Promise<ListedUsers> {
  const part = query ? `%${query.replace(/[\\%_]/g, '\\$&')}%` : null;
  const rows = await ctx.db.$queryRaw<Row[]>`
    select u.id, u.email, u.name, u.is_admin as "isAdmin", u.created_at as "createdAt",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'role', m.role) order by m.created_at, t.id)
        from memberships m join teams t on t.id = m.team_id where m.user_id = u.id
      ), '[]'::jsonb) as teams
    from users u
    where (${cursor ?? null}::text is null or u.id < ${cursor ?? null})
      and (${part}::text is null or u.email ilike ${part} or u.name ilike ${part} or u.id = ${query ?? ''})
    order by u.id desc
    limit ${limit + 1}`;
  const users = rows.slice(0, limit).map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { users, nextCursor: rows.length > limit ? (users.at(-1)?.id ?? null) : null };
}
