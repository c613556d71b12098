import type { Db, Tx } from '@/server/platform/db';
import type { DueWeek, Week } from './week';

/** Returns the distinct time zones of the members who get a weekly summary. */
export async function listZones(db: Db): Promise<string[]> {
  // Raw: selects distinct values of a related table's column.
  const rows = await db.$queryRaw<{ zone: string }[]>`
    select distinct coalesce(u.time_zone, 'UTC') as zone from memberships m join users u on u.id = m.user_id
    where m.weekly_summary_since is not null`;
  return rows.map(({ zone }) => zone);
}

export interface DueSummary extends Week {
  teamId: string;
  userId: string;
}

/**
 * Records and returns the due summaries of these weeks, at most `limit`: those of members with a confirmed address who had switched them on before
 * they were due. Never returns a summary twice, also not to concurrent callers.
 */
export function takeDue(tx: Tx, weeks: DueWeek[], limit: number): Promise<DueSummary[]> {
  // Raw: finds and inserts rows of members in many time zones in one statement.
  return tx.$queryRaw`
    with due as (
      select m.team_id, m.user_id, z.week, z.name
      from memberships m join users u on u.id = m.user_id
      join unnest(
        ${weeks.map(({ timezone }) => timezone)}::text[], ${weeks.map(({ week }) => week)}::date[],
        ${weeks.map(({ dueAt }) => dueAt)}::timestamptz[]
      ) z (name, week, due_at) on z.name = coalesce(u.time_zone, 'UTC')
      join confirmed_recipients r on r.team_id = m.team_id and r.address = lower(u.email)
      where m.weekly_summary_since <= z.due_at and not exists (
        select 1 from weekly_summaries w where w.team_id = m.team_id and w.user_id = m.user_id and w.week = z.week
      )
      order by m.team_id, m.user_id limit ${limit}::int
    ), taken as (
      insert into weekly_summaries (team_id, user_id, week) select team_id, user_id, week from due
      on conflict do nothing
      returning team_id, user_id
    )
    select d.team_id as "teamId", d.user_id as "userId", d.week::text, d.name as timezone
    from taken join due d using (team_id, user_id)`;
}
