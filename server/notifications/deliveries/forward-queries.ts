import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { ChannelType } from '../providers/definitions';

/** The deliveries to forward: those listed, or all of a failing channel that were not delivered since it began to fail. */
export type Forwarded = { ids: string[] } | { channelId: string };

/** The maximum number of deliveries that are forwarded at once; the latest are chosen. */
const MOST_AT_ONCE = 500;

/** A delivery to forward. */
export interface ForwardRow {
  id: string;
  incidentId: string | null;
  channelId: string;
}

/**
 * Returns the fallback of a channel: its own, or else the team's; never itself. Locks it against deletion. Skips a fallback that is being deleted
 * instead of waiting, because the channel and its deliveries are already locked.
 */
export async function holdFallback(tx: Tx, channelId: string): Promise<string | null> {
  return (await holdFallbackWithType(tx, channelId))?.id ?? null;
}

/** Like `holdFallback`, with the type. */
export async function holdFallbackWithType(
  tx: Tx,
  channelId: string,
): Promise<{ id: string; type: ChannelType } | null> {
  // Raw: holds the row.
  const [row] = await tx.$queryRaw<{ id: string; type: ChannelType }[]>`
    select fallback.id, fallback.type::text from channels channel
    join teams team on team.id = channel.team_id
    join channels fallback on fallback.id = coalesce(channel.fallback_channel_id, team.fallback_channel_id)
    where channel.id = ${channelId} and channel.owner_id is null and fallback.id <> channel.id
      and fallback.team_id = channel.team_id and fallback.owner_id is null
    for key share of fallback skip locked`;
  return row ?? null;
}

/** The channels of deliveries. */
export async function readChannelIds(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await tx.delivery.findMany({
    where: { id: { in: ids } },
    select: { channelId: true },
    distinct: ['channelId'],
  });
  return rows.map(({ channelId }) => channelId).toSorted();
}

/**
 * Finds the undelivered messages of a channel that were not forwarded yet, oldest first. Leaves out tests, deliveries held by quiet hours, and
 * reminders of incidents that are no longer open.
 */
export async function findForwardable(
  tx: Tx,
  { channelId, fallbackId, ids }: { channelId: string; fallbackId: string; ids: string[] | null },
): Promise<ForwardRow[]> {
  // Raw: looks up the attempts since the channel began to fail, and what the fallback got.
  const rows = await tx.$queryRaw<ForwardRow[]>`
    select delivery.id, delivery.incident_id as "incidentId", delivery.channel_id as "channelId"
    from deliveries delivery join channels channel on channel.id = delivery.channel_id
    where delivery.channel_id = ${channelId} and delivery.event <> 'channel.test' and delivery.hold is null
      and (${ids}::text[] is null or delivery.id = any(${ids}::text[]))
      and (delivery.status = 'pending' or delivery.status = 'failed' and exists (
        select 1 from delivery_attempts attempt where attempt.delivery_id = delivery.id
          and attempt.at + attempt.duration_ms * interval '1 millisecond' >= channel.failing_since))
      and delivery.created_at > now() - interval '2 days'
      and (delivery.event <> 'incident.reminder' or exists (
        select 1 from incidents each where each.id = delivery.incident_id and each.status = 'open'))
      and not exists (select 1 from deliveries sent where sent.channel_id = ${fallbackId} and sent.event_key = delivery.event_key)
    order by delivery.created_at desc, delivery.id desc limit ${MOST_AT_ONCE}`;
  return rows.toReversed();
}

/**
 * Inserts copies of deliveries for the fallback, each with the fallback's last delivery about its incident as predecessor. `lockForwarding` keeps
 * that one from changing. `sources` has at most one delivery per incident.
 */
export function insertForwarded(
  tx: Tx,
  fallbackId: string,
  sources: ForwardRow[],
): Promise<{ id: string; channelId: string; isFailing: boolean }[]> {
  // Raw: each row looks up its predecessor.
  return tx.$queryRaw`
    insert into deliveries
      (id, team_id, channel_id, incident_id, after_id, event, event_key, opening, payload, next_attempt_at,
       forwarded_from_id)
    select source.new_id, original.team_id, ${fallbackId}, original.incident_id, last.id, original.event,
           original.event_key, original.opening, original.payload, now(), original.id
    from unnest(${sources.map(() => newId())}::text[], ${sources.map(({ id }) => id)}::text[]) as source (new_id, id)
    join deliveries original on original.id = source.id
    left join lateral (
      select earlier.id from deliveries earlier
      where earlier.incident_id = original.incident_id and earlier.channel_id = ${fallbackId}
        -- Not "=", so that the planner uses the index of incidents instead of that of pending deliveries.
        and earlier.status is not distinct from 'pending'
        and not exists (select 1 from deliveries later where later.after_id = earlier.id)
      limit 1
    ) last on true
    on conflict (channel_id, event_key) do nothing
    returning id, channel_id as "channelId",
      exists (select 1 from channels where id = ${fallbackId} and failed_at is not null) as "isFailing"`;
}
