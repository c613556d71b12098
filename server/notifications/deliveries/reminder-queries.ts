import type { Tx } from '@/server/platform/db';
import { mirroringTypes } from '../providers/definitions';

export const REMINDERS_AT_ONCE = 500;
/** Of one incident to one channel, since it was opened or last reopened. */
const MOST_REMINDERS = 10;

/** A reminder that is due. */
interface DueReminder {
  teamId: string;
  channelId: string;
  incidentId: string;
  /** Identifies the reminder, by its number: one more than the highest of those that were written, because some may be deleted. */
  eventKey: string;
  /** The message that told the channel of the incident. */
  payload: unknown;
}

/** Reminders are looked for every minute, so that one may come this much early instead of a minute late. */
const EARLY_SECONDS = 30;

/**
 * The reminders that are due and not written: of open incidents, outside maintenance, to the channels that were told of them. The time counts from the
 * last message that reached the channel, and there is no reminder while one waits, for example in quiet hours. Locks the incidents, so that none is
 * acknowledged or resolved meanwhile.
 */
export function findReminders(tx: Tx): Promise<DueReminder[]> {
  // Raw: computes which reminder is due by the database's clock, and locks the rows.
  return tx.$queryRaw<DueReminder[]>`
    select told.team_id as "teamId", told.channel_id as "channelId", told.incident_id as "incidentId",
      reminder.key || (earlier.highest + 1) as "eventKey", told.payload
    from incidents incident
    join deliveries told on told.incident_id = incident.id and told.status = 'delivered'
      and told.event in ('incident.opened', 'monitor.certificate_expiring')
    join channels channel on channel.id = told.channel_id and channel.reminder_minutes > 0
      and channel.owner_id is null and channel.type <> all(${mirroringTypes}::channel_type[])
    left join monitor_states state on state.monitor_id = incident.monitor_id and state.region = ''
    -- As the keys of other events: they start again with each reopening.
    cross join lateral (
      select 'incident.reminder:' || incident.id || ':' || coalesce(nullif(incident.reopenings, 0) || ':', '') as key
    ) reminder
    cross join lateral (
      select count(distinct each.id) filter (where starts_with(each.event_key, reminder.key)) as reminders,
        coalesce(max(substring(each.event_key from '[0-9]+$')::int) filter (where starts_with(each.event_key, reminder.key)), 0)
          as highest,
        bool_or(each.status = 'pending') as waits, max(greatest(each.created_at, attempt.at)) as last_at
      from deliveries each left join delivery_attempts attempt on attempt.delivery_id = each.id and attempt.error is null
      where each.incident_id = incident.id and each.channel_id = channel.id
    ) earlier
    where incident.open_key is not null and incident.status = 'open'
      and earlier.reminders < ${MOST_REMINDERS}::int and not earlier.waits
      and clock_timestamp() - earlier.last_at
        >= channel.reminder_minutes * interval '1 minute' - ${EARLY_SECONDS}::int * interval '1 second'
      -- An odd number of edges has passed: in maintenance.
      and coalesce((
        select count(*) from unnest(state.maintenance) edge where edge <= clock_timestamp()
      ) % 2, 0) = 0
    order by incident.id limit ${REMINDERS_AT_ONCE}::int
    for no key update of incident`;
}
