import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { queueDeliveries } from './deliver-message';
import type { EventData } from './event';
import { linksOf } from './links';
import type { EventType } from './schema';

export interface NotifiableEvent {
  teamId: string;
  /** The monitor whose choice of channels counts; without one, every channel of the team hears of it. */
  monitorId?: string;
  incidentId: string;
  event: Exclude<EventType, 'channel.test'>;
  /** Names the event: a channel gets one message for it, however often it is announced. */
  eventKey: string;
  data: EventData;
}

/**
 * Writes one delivery per event and channel that hears of it, and queues their sending, in the caller's transaction:
 * the messages go out when it commits and do not exist when it rolls back. Four statements for any number of events.
 * A message goes after what the channel was told of the incident before; the caller holds the incident's row, so that
 * its events come one by one.
 */
export async function createDeliveries(tx: Tx, events: NotifiableEvent[]): Promise<void> {
  if (events.length === 0) return;
  const targets = await findTargets(tx, events);
  if (targets.length === 0) return;
  await queueDeliveries(tx, await insertDeliveries(tx, events, targets));
}

interface Target {
  /** The event's place in the list, from 1. */
  position: number;
  channelId: string;
}

/** Locks the channels against deletion, so that the insert which follows cannot fail because one is gone. */
function findTargets(tx: Tx, events: NotifiableEvent[]): Promise<Target[]> {
  return tx.$queryRaw<Target[]>`
    select event.position::int as "position", channel.id as "channelId"
    from unnest(
      ${events.map(({ teamId }) => teamId)}::text[],
      ${events.map(({ monitorId }) => monitorId ?? null)}::text[]
    ) with ordinality as event (team_id, monitor_id, position)
    join channels channel on channel.team_id = event.team_id
    left join monitors monitor on monitor.id = event.monitor_id and monitor.team_id = event.team_id
    where coalesce(monitor.all_channels, true) or exists (
      select 1 from monitor_channels chosen where chosen.monitor_id = monitor.id and chosen.channel_id = channel.id
    )
    order by event.position, channel.id
    for key share of channel`;
}

function insertDeliveries(
  tx: Tx,
  events: NotifiableEvent[],
  targets: Target[],
): Promise<{ id: string; channelId: string }[]> {
  const timestamp = new Date().toISOString();
  const rows = events.map(({ teamId, incidentId, event, eventKey, data }) => ({
    teamId,
    incidentId,
    event,
    eventKey,
    payload: { type: event, timestamp, data: { ...data, links: linksOf(data) } },
  }));
  return tx.$queryRaw<{ id: string; channelId: string }[]>`
    insert into deliveries (id, team_id, channel_id, incident_id, after_id, event, event_key, payload, next_attempt_at)
    select target.id, event.item->>'teamId', target.channel_id, event.item->>'incidentId', last.id,
           event.item->>'event', event.item->>'eventKey', event.item->'payload', now()
    from unnest(
      ${targets.map(() => newId())}::text[],
      ${targets.map(({ channelId }) => channelId)}::text[],
      ${targets.map(({ position }) => position)}::int[]
    ) as target (id, channel_id, position)
    join jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as event (item, position)
      on event.position = target.position
    left join lateral (
      select earlier.id from deliveries earlier
      where earlier.incident_id = event.item->>'incidentId' and earlier.channel_id = target.channel_id
        -- Not "=": found by its incident, which has few, not among all that are pending.
        and earlier.status is not distinct from 'pending'
        and not exists (select 1 from deliveries later where later.after_id = earlier.id)
      limit 1
    ) last on true
    on conflict (channel_id, event_key) do nothing
    returning id, channel_id as "channelId"`;
}
