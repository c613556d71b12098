import { Prisma } from '@/server/platform/generated/prisma/client';

/**
 * 'pending' for a condition on the lines of incidents, whose index has the status. Not a constant, because the planner would prefer the indexes of
 * pending deliveries, which it expects to be few.
 */
export const PENDING = Prisma.sql`(select 'pending'::delivery_status)`;

/**
 * SQL that gives the next delivery of each line a time if it waits behind others: the first pending one about an incident to a locked channel. Not all
 * that wait, because each claim would take their times away again.
 * @param ended rows with `id` and `incident_id`: the deliveries that are final from this statement on, but still pending in its snapshot
 */
export const makeNextDue = (channelId: string, ended: Prisma.Sql, at: Prisma.Sql): Prisma.Sql => Prisma.sql`
  update deliveries d set next_attempt_at = ${at}
  from (select distinct incident_id from ${ended} ended where incident_id is not null) line
  cross join lateral (
    select id, next_attempt_at from deliveries each
    where each.incident_id = line.incident_id and each.channel_id = ${channelId} and each.status = ${PENDING}
      and each.id not in (select id from ${ended} ended)
    order by each.seq limit 1
  ) following
  where d.id = following.id and following.next_attempt_at is null`;
