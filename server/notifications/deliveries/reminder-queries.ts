import type { Db, Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { mirroringTypes } from '../providers/definitions';

/** The maximum number of reminders of a team in one run. */
const MOST_PER_TEAM = 500;
/** The maximum number of reminders of one incident to one channel since it was opened or last reopened. */
const MOST_REMINDERS = 10;

/** A reminder that is due. */
interface DueReminder {
  channelId: string;
  incidentId: string;
  /**
   * A unique key that ends with the number of the reminder. The number is one above the highest existing one; a count would repeat numbers, because
   * reminders may be deleted.
   */
  eventKey: string;
  /** The payload of the message that notified the channel of the incident. */
  payload: unknown;
}

/** The job runs every minute, so a reminder may be sent this much early instead of up to a minute late. */
const EARLY_SECONDS = 30;

/** SQL condition for a channel that gets reminders. Contact methods and channels that mirror incidents get none. */
const isReminded = Prisma.sql`channel.reminder_minutes > 0 and channel.owner_id is null
  and channel.type <> all(${mirroringTypes}::channel_type[])`;

/**
 * Returns the IDs of teams that have open incidents and channels that get reminders. Those with the fewest open incidents come first, so that a team
 * with many does not delay them.
 */
export async function findReminded(db: Db): Promise<string[]> {
  // Raw: counts the open incidents of these teams only, by the partial index.
  const rows = await db.$queryRaw<{ team_id: string }[]>`
    select team.team_id from (select distinct channel.team_id from channels channel where ${isReminded}) team
    cross join lateral (
      select count(*) as open from incidents incident
      where incident.team_id = team.team_id and incident.status = 'open' and incident.open_key is not null
    ) incidents
    where incidents.open > 0 order by incidents.open, team.team_id`;
  return rows.map(({ team_id }) => team_id);
}

/**
 * Finds the due reminders of a team, the longest overdue first: of open incidents outside maintenance, for the channels that were notified of them.
 * The interval starts at the last message that reached the channel, and no reminder is due while one is pending, for example in quiet hours. Locks
 * the incidents, so that none is acknowledged or resolved meanwhile; skips those that another transaction has locked.
 */
export function findReminders(tx: Tx, teamId: string): Promise<DueReminder[]> {
  const interval = Prisma.sql`interval '1 minute' * channel.reminder_minutes - interval '1 second' * ${EARLY_SECONDS}::int`;
  // Raw: computes due reminders by the database's clock and locks the rows. Reads the deliveries of an incident once for all channels.
  return tx.$queryRaw<DueReminder[]>`
    with due as materialized (
      select earlier.channel_id, incident.id as incident_id, reminder.key || (earlier.highest + 1) as event_key, earlier.notified_id
      from incidents incident
      left join monitor_states state on state.monitor_id = incident.monitor_id and state.region = ''
      -- Contains the number of reopenings, like the keys of other events.
      cross join lateral (
        select 'incident.reminder:' || incident.id || ':' || coalesce(nullif(incident.reopenings, 0) || ':', '') as key
      ) reminder
      cross join lateral (
        select channel.id as channel_id, ${interval} as interval, array_agg(each.id) as ids, max(each.created_at) as created_at,
          max(each.id) filter (
            where each.status = 'delivered' and each.event in ('incident.opened', 'monitor.certificate_expiring')
          ) as notified_id,
          coalesce(max(substring(each.event_key from '[0-9]+$')::int) filter (where starts_with(each.event_key, reminder.key)), 0)
            as highest
        from deliveries each join channels channel on channel.id = each.channel_id and ${isReminded}
        where each.incident_id = incident.id
        group by channel.id
        -- Filters here, so that attempts (below) are only read for channels that may get a reminder.
        having not bool_or(each.status = 'pending') and clock_timestamp() - max(each.created_at) >= ${interval}
          and count(*) filter (where starts_with(each.event_key, reminder.key)) < ${MOST_REMINDERS}::int
      ) earlier
      cross join lateral (
        select greatest(earlier.created_at, max(attempt.at)) as at from delivery_attempts attempt
        where attempt.delivery_id = any(earlier.ids) and attempt.error is null
      ) last
      where incident.team_id = ${teamId} and earlier.notified_id is not null and incident.status = 'open' and incident.open_key is not null
        and clock_timestamp() - last.at >= earlier.interval
        -- In maintenance: the number of passed edges is odd.
        and coalesce((
          select count(*) from unnest(state.maintenance) edge where edge <= clock_timestamp()
        ) % 2, 0) = 0
        and (state.planned_until is null or state.planned_until > clock_timestamp())
      order by last.at + earlier.interval, incident.id limit ${MOST_PER_TEAM}::int
      for no key update of incident skip locked
    )
    select due.channel_id as "channelId", due.incident_id as "incidentId", due.event_key as "eventKey", notified.payload
    from due join deliveries notified on notified.id = due.notified_id`;
}
