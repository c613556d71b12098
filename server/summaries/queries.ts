import type { Db, Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { SummaryKind } from './schema';

/** A week or month whose mail is due in a time zone: the day on which it is sent, such as "2026-03-30". */
export interface DuePeriod {
  period: string;
  timezone: string;
  dueAt: Date;
}

/** The columns and the table of each kind. */
const names = {
  weekly: { since: Prisma.sql`weekly_summary_since`, table: Prisma.sql`weekly_summaries`, period: Prisma.sql`week` },
  monthly: { since: Prisma.sql`monthly_report_since`, table: Prisma.sql`monthly_reports`, period: Prisma.sql`month` },
} satisfies Record<SummaryKind, Record<string, Prisma.Sql>>;

/** Returns the distinct time zones of the members who get this kind of mail. */
export async function listZones(db: Db, kind: SummaryKind): Promise<string[]> {
  // Raw: selects distinct values of a related table's column.
  const rows = await db.$queryRaw<{ zone: string }[]>`
    select distinct coalesce(u.time_zone, 'UTC') as zone from memberships m join users u on u.id = m.user_id
    where m.${names[kind].since} is not null`;
  return rows.map(({ zone }) => zone);
}

export interface DueMail {
  teamId: string;
  userId: string;
  period: string;
  timezone: string;
}

/**
 * Records and returns the due mails of these periods, at most `limit`: those of members with a confirmed address who had switched them on before they
 * were due. Never returns a mail twice, also not to concurrent callers.
 */
export function takeDue(tx: Tx, kind: SummaryKind, periods: DuePeriod[], limit: number): Promise<DueMail[]> {
  const { since, table, period } = names[kind];
  // Raw: finds and inserts rows of members in many time zones in one statement.
  return tx.$queryRaw`
    with due as (
      select m.team_id, m.user_id, z.period, z.name
      from memberships m join users u on u.id = m.user_id
      join unnest(
        ${periods.map(({ timezone }) => timezone)}::text[], ${periods.map((each) => each.period)}::date[],
        ${periods.map(({ dueAt }) => dueAt)}::timestamptz[]
      ) z (name, period, due_at) on z.name = coalesce(u.time_zone, 'UTC')
      join confirmed_recipients r on r.team_id = m.team_id and r.address = lower(u.email)
      where m.${since} <= z.due_at and not exists (
        select 1 from ${table} w where w.team_id = m.team_id and w.user_id = m.user_id and w.${period} = z.period
      )
      order by m.team_id, m.user_id limit ${limit}::int
    ), taken as (
      insert into ${table} (team_id, user_id, ${period}) select team_id, user_id, period from due
      on conflict do nothing
      returning team_id, user_id
    )
    select d.team_id as "teamId", d.user_id as "userId", d.period::text, d.name as timezone
    from taken join due d using (team_id, user_id)`;
}
