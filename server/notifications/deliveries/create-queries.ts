import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { NotifiableEvent } from '../messages/event';
import { linksOf } from '../messages/links';
import { mirroringTypes, pagingTypes } from '../providers/definitions';
import { kindsOf } from '../rules/kind-of';

/** A channel to notify of an event. */
interface Target {
  /** The event's position in the list, from 1. */
  position: number;
  channelId: string;
  /** Whether the channel is failing, so that its messages are forwarded. */
  isFailing: boolean;
}

/** A new delivery. */
interface Created {
  id: string;
  channelId: string;
}

/** Events after the opening of an incident. */
const LATER = ['incident.acknowledged', 'incident.resolved'];

/**
 * Finds the channels to notify of each event: those of the team that an affected monitor notifies (all, or the chosen ones) and whose rules match the
 * event. Acknowledgments and resolutions also go to the channels and contact methods that were notified of the incident, even if rules have changed.
 * Locks the channels against deletion, so that the following insert cannot violate a foreign key.
 */
export function findTargets(tx: Tx, events: NotifiableEvent[]): Promise<Target[]> {
  const kinds = events.map(({ event, data }) => kindsOf(event, data));
  // Raw: joins a list of events with their channels, and locks these.
  return tx.$queryRaw<Target[]>`
    select event.position::int as "position", channel.id as "channelId", channel.failed_at is not null as "isFailing"
    from unnest(
      ${events.map(({ teamId }) => teamId)}::text[],
      ${events.map(({ monitorIds = [] }) => monitorIds.join())}::text[],
      ${events.map(({ isForMirrors }) => isForMirrors ?? false)}::boolean[],
      ${events.map(({ event }) => LATER.includes(event))}::boolean[],
      ${events.map(({ incidentId }) => incidentId ?? null)}::text[],
      ${kinds.map(([kind]) => kind)}::text[],
      ${kinds.map(([, about]) => about)}::text[],
      ${events.map(({ data }) => data.incident?.severity ?? null)}::incident_severity[]
    ) with ordinality
      as event (team_id, monitor_ids, for_mirrors, is_later, incident_id, kind, about, severity, position)
    join channels channel on channel.team_id = event.team_id and (channel.owner_id is null or event.is_later)
      and (not event.for_mirrors or channel.type = any(${mirroringTypes}::channel_type[]))
      -- Maintenance does not page people.
      and (event.incident_id is not null or channel.type <> all(${pagingTypes}::channel_type[]))
    where event.kind <> all(channel.muted_events) and ((
      channel.owner_id is null and event.about <> all(channel.muted_events)
      -- The enum is ordered, the most severe first.
      and (event.severity is null or event.severity <= channel.min_severity)
      and exists (
        select 1 from unnest(coalesce(string_to_array(nullif(event.monitor_ids, ''), ','), array[null])) as affected (id)
        left join monitors monitor on monitor.id = affected.id and monitor.team_id = event.team_id
        where (coalesce(monitor.all_channels, true) or exists (
          select 1 from monitor_channels chosen where chosen.monitor_id = monitor.id and chosen.channel_id = channel.id
        ))
        and (channel.all_monitors or monitor.tags && channel.tags or exists (
          select 1 from channel_routes route where route.channel_id = channel.id and route.monitor_id = monitor.id
        ))
      )
    ) or (event.is_later and exists (
      select 1 from deliveries earlier
      where earlier.incident_id = event.incident_id and earlier.channel_id = channel.id
        and earlier.event in ('incident.opened', 'monitor.certificate_expiring', 'incident.escalated')
    )))
    order by event.position, channel.id
    for key share of channel`;
}

/**
 * Inserts a delivery for each target, numbered in the order of the events. Skips channels that already have a delivery with the event's key.
 * @returns the inserted deliveries
 */
export function insertDeliveries(
  tx: Tx,
  events: NotifiableEvent[],
  targets: Pick<Target, 'position' | 'channelId'>[],
): Promise<Created[]> {
  const timestamp = new Date().toISOString();
  const rows = events.map(({ teamId, incidentId, event, eventKey, data }) => ({
    teamId,
    incidentId,
    event,
    eventKey,
    payload: { type: event, timestamp, data: { ...data, links: linksOf(data) } },
  }));
  // Raw: numbers the rows in order, and skips those that exist.
  return tx.$queryRaw<Created[]>`
    insert into deliveries
      (id, team_id, channel_id, incident_id, event, event_key, opening, payload, next_attempt_at)
    select target.id, event.item->>'teamId', target.channel_id, event.item->>'incidentId',
           event.item->>'event', event.item->>'eventKey',
           coalesce((select incident.reopenings from incidents incident where incident.id = event.item->>'incidentId'), 0),
           event.item->'payload', now()
    from unnest(
      ${targets.map(() => newId())}::text[],
      ${targets.map(({ channelId }) => channelId)}::text[],
      ${targets.map(({ position }) => position)}::int[]
    ) as target (id, channel_id, position)
    join jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as event (item, position)
      on event.position = target.position
    order by event.position
    on conflict (channel_id, event_key) do nothing
    returning id, channel_id as "channelId"`;
}
