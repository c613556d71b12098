import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { ChannelType } from '../providers/definitions';

/** The deliveries to forward: those listed, or all of a failing channel that were not delivered since it began to fail. */
export type Forwarded = { ids: string[] } | { channelId: string };

/** The maximum number of deliveries that are forwarded at once; the latest are chosen. */
const MOST_AT_ONCE = 500;

/**
 * Returns the fallback of a channel: its own, or else the team's; never itself. Locks it against deletion. Skips a fallback that is being deleted
 * instead of waiting, because the channel and its deliveries are already locked.
 */
export async function holdFallback(tx: Tx, channelId: string): Promise<{ id: string; type: ChannelType } | null> {
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

/** Returns the IDs of the channels of these deliveries, each once, in order. */
export async function readChannelIds(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await tx.delivery.findMany({
    where: { id: { in: ids } },
    select: { channelId: true },
    distinct: ['channelId'],
  });
  return rows.map(({ channelId }) => channelId).toSorted();
}

/**
 * Copies undelivered messages of a channel to its fallback, in their order: pending ones, and those that failed since the channel began to fail.
 * Leaves out tests, messages that the fallback already has, that quiet hours hold or that are older than 2 days, and reminders of incidents that are
 * not open.
 * @param ids only these; null for all
 * @returns the copies, and whether the fallback is marked as failing too
 */
export function insertForwarded(
  tx: Tx,
  { channelId, fallbackId, ids }: { channelId: string; fallbackId: string; ids: string[] | null },
): Promise<{ id: string; isFailing: boolean }[]> {
  // Raw: looks up the attempts since the channel began to fail, and numbers the copies in order.
  return tx.$queryRaw`
    with original as materialized (
      select delivery.* from deliveries delivery join channels channel on channel.id = delivery.channel_id
      where delivery.channel_id = ${channelId} and delivery.event <> 'channel.test' and delivery.hold is null
        and (${ids}::text[] is null or delivery.id = any(${ids}::text[]))
        and (delivery.status = 'pending' or delivery.status = 'failed' and exists (
          select 1 from delivery_attempts attempt where attempt.delivery_id = delivery.id
            and attempt.at + attempt.duration_ms * interval '1 millisecond' >= channel.failing_since))
        and delivery.created_at > now() - interval '2 days'
        and (delivery.event <> 'incident.reminder' or exists (
          select 1 from incidents each where each.id = delivery.incident_id and each.status = 'open'))
        and not exists (select 1 from deliveries sent where sent.channel_id = ${fallbackId} and sent.event_key = delivery.event_key)
      order by delivery.seq desc limit ${MOST_AT_ONCE}
    ), numbered as (
      select original.*, row_number() over (order by seq) as place from original
    )
    insert into deliveries
      (id, team_id, channel_id, incident_id, event, event_key, opening, payload, next_attempt_at, forwarded_from_id)
    select copy.id, numbered.team_id, ${fallbackId}, numbered.incident_id, numbered.event, numbered.event_key,
      numbered.opening, numbered.payload, now(), numbered.id
    from numbered join unnest(${Array.from({ length: ids?.length ?? MOST_AT_ONCE }, () => newId())}::text[])
      with ordinality as copy (id, place) using (place)
    order by place
    on conflict (channel_id, event_key) do nothing
    returning id, exists (select 1 from channels where id = ${fallbackId} and failed_at is not null) as "isFailing"`;
}
