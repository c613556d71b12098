import type { Tx } from '@/server/platform/db';
import { mirroringTypes } from '../providers/definitions';

export const REMINDERS_AT_ONCE = 500;
/** Of one incident to one channel. */
const MOST_REMINDERS = 10;

/** A reminder that is due. */
interface DueReminder {
  teamId: string;
  channelId: string;
  incidentId: string;
  /** 1 for the first of this incident. */
  number: number;
  /** The message that told the channel of the incident. */
  payload: unknown;
}

/**
 * The reminders that are due and not written: of open incidents, outside maintenance, to the channels that were told of them. Locks the incidents, so
 * that none is acknowledged or resolved meanwhile.
 */
export function findReminders(tx: Tx): Promise<DueReminder[]> {
  // Raw: computes which reminder is due by the database's clock, and locks the rows.
  return tx.$queryRaw<DueReminder[]>`
    select told.team_id as "teamId", told.channel_id as "channelId", told.incident_id as "incidentId", due.number, told.payload
    from incidents incident
    join deliveries told on told.incident_id = incident.id and told.status = 'delivered'
      and told.event in ('incident.opened', 'monitor.certificate_expiring')
    join channels channel on channel.id = told.channel_id and channel.reminder_minutes > 0
      and channel.owner_id is null and channel.type <> all(${mirroringTypes}::channel_type[])
    left join monitor_states state on state.monitor_id = incident.monitor_id and state.region = ''
    cross join lateral (
      select floor(extract(epoch from clock_timestamp() - told.created_at) / 60 / channel.reminder_minutes)::int as number
    ) due
    where incident.open_key is not null and incident.status = 'open'
      and due.number between 1 and ${MOST_REMINDERS}::int
      and not exists (
        select 1 from deliveries reminder
        where reminder.channel_id = told.channel_id
          and reminder.event_key = 'incident.reminder:' || told.incident_id || ':' || due.number
      )
      -- An odd number of edges has passed: in maintenance.
      and coalesce((
        select count(*) from unnest(state.maintenance) edge where edge <= clock_timestamp()
      ) % 2, 0) = 0
    order by incident.id limit ${REMINDERS_AT_ONCE}::int
    for no key update of incident`;
}
