import { Prisma } from '@/server/platform/generated/prisma/client';

/**
 * The status 'pending' for conditions on a line (the deliveries about one incident to one channel), whose index contains the status. A subquery hides
 * the value from the planner, which would otherwise prefer the indexes of pending deliveries, because it expects these to be few.
 */
export const PENDING = Prisma.sql`(select 'pending'::delivery_status)`;

/**
 * SQL that sets the time of the first pending delivery of each line to `at`, if it has none because it waited behind another. Leaves the later ones
 * without a time, because the next claim would remove it again. The channel must be locked.
 * @param ended rows with `id` and `incident_id`: the deliveries that become final in this statement, but are still pending in its snapshot
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
