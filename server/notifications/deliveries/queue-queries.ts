import { z } from 'zod';
import type { Tx } from '@/server/platform/db';
import { PENDING } from './line-queries';

/** The job that sends the due deliveries of a channel. Defined apart from its work, because recording an attempt queues the channel again. */
export const deliverJob = { name: 'deliver-message', schema: z.object({ channelId: z.string() }), maxAttempts: 25 };

/** The priority of a team is lowered by one step for each such number of due messages. */
const PER_STEP = 20;
/** Counts at most this many due messages per team: beyond that, a team has the lowest priority anyway. */
const MOST_COUNTED = 400;

/** When a channel's job runs: at once, or when its next attempt is due, but not before this time. */
type When = 'now' | { notBefore: Date | null };

/**
 * Enqueues the jobs that send the due deliveries of channels, in the caller's transaction.
 *
 * After making deliveries due, call it with `now`: the job has no key, because transactions that notify the same channel would wait for each other's
 * key. After claiming deliveries or recording attempts, under the channel's lock, call it with `notBefore`: this sets the one timer of the channel to
 * the next attempt of a pending delivery, or removes it. For a delivery that is being sent, that is the end of its lease.
 *
 * The more messages of a team are due, the lower the priority, so that one team's thousand messages do not delay another team's single one.
 */
export async function queueChannels(tx: Tx, channelIds: string[], when: When): Promise<void> {
  if (channelIds.length === 0) return;
  const isNow = when === 'now';
  const notBefore = isNow ? null : when.notBefore;
  // Raw: functions of the job queue, and counts up to a limit.
  await tx.$executeRaw`
    with queued as materialized (
      select channel.id, channel.team_id, 'deliver:' || channel.id as key,
        case when ${isNow} then now() else (
          select greatest(next_attempt_at, ${notBefore}::timestamptz) from deliveries
          where channel_id = channel.id and status = 'pending' and next_attempt_at is not null
          order by next_attempt_at limit 1
        ) end as run_at
      from channels channel where channel.id = any(${channelIds}::text[]) and channel.team_id is not null
    ), team as materialized (
      select team_id as id, (
        select count(*)::int from (
          select pending.channel_id, pending.incident_id, pending.seq from deliveries pending
          where pending.team_id = each.team_id and pending.status = 'pending' and pending.next_attempt_at <= statement_timestamp()
          limit ${MOST_COUNTED}::int
        ) due
        -- Not those behind another. A subquery with an order looks up each by its line; a join, or no order, may scan all pending deliveries.
        where (
          select 1 from deliveries earlier
          where earlier.incident_id = due.incident_id and earlier.channel_id = due.channel_id
            and earlier.status = ${PENDING} and earlier.seq < due.seq
          order by earlier.seq limit 1
        ) is null
      ) / ${PER_STEP}::int as priority
      from (select distinct team_id from queued) each
    ), spec as (
      select array_agg(
        (${deliverJob.name}::text, json_build_object('channelId', queued.id), null, queued.run_at, ${deliverJob.maxAttempts}::int,
          case when not ${isNow} then queued.key end, team.priority, null)::graphile_worker.job_spec order by queued.key
      ) as jobs
      from queued join team on team.id = queued.team_id where queued.run_at is not null
    )
    select 1 from spec cross join lateral graphile_worker.add_jobs(spec.jobs) where spec.jobs is not null
    union all
    select 1 from queued cross join lateral graphile_worker.remove_job(queued.key) where queued.run_at is null`;
}
