import type { Tx } from '@/server/platform/db';

/** The time between two replayed messages, so that a receiver that just recovered is not flooded. */
const SPACING_MS = 100;
/** A message that was replayed within this time is not replayed again, so that a double click sends it once. */
const TOO_SOON_MS = 10_000;

/**
 * Makes deliveries of a locked channel pending again under their IDs, in the order of their creation. Skips pending and recently replayed ones.
 * @returns those that were made pending, with their times
 */
export function makePending(
  tx: Tx,
  { channelId, ids, replayedBy }: { channelId: string; ids: string[]; replayedBy: string },
): Promise<{ id: string; runAt: Date }[]> {
  // Raw: locks and numbers the rows, by the database's clock.
  return tx.$queryRaw`
    with locked as materialized (
      select id, created_at from deliveries
      where channel_id = ${channelId} and id = any(${ids}::text[]) and status <> 'pending' and event <> 'channel.test'
        and (replayed_at is null or replayed_at < clock_timestamp() - ${TOO_SOON_MS}::int * interval '1 millisecond')
      order by id for no key update
    ), numbered as (
      select id, row_number() over (order by created_at, id) - 1 as place from locked
    )
    update deliveries d set status = 'pending', replayed_at = clock_timestamp(), replayed_by = ${replayedBy},
      next_attempt_at = clock_timestamp() + numbered.place * ${SPACING_MS}::int * interval '1 millisecond'
    from numbered where d.id = numbered.id
    returning d.id, d.next_attempt_at as "runAt"`;
}

/**
 * Links the pending deliveries of incidents to a channel again, each to the previous one (FIFO), because replayed deliveries are pending again. The
 * caller has locked the incidents, so that no event is created in between.
 */
export async function orderAgain(tx: Tx, channelId: string, incidentIds: string[]): Promise<void> {
  // Raw: locks the rows, then links each to the previous one.
  await tx.$executeRaw`
    with locked as materialized (
      select id, incident_id, created_at, status from deliveries
      where channel_id = ${channelId} and incident_id = any(${incidentIds}::text[]) order by id for no key update
    ), linked as (
      select id, lag(id) over (partition by incident_id order by created_at, id) as before from locked where status = 'pending'
      union all
      -- A final delivery has no predecessor: as a successor, it would hide the last pending one from a new event.
      select id, null from locked where status <> 'pending'
    )
    update deliveries d set after_id = linked.before from linked
    where d.id = linked.id and d.after_id is distinct from linked.before`;
}
