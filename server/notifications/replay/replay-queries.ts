import type { Tx } from '@/server/platform/db';

/** The time between two replayed messages, so that a receiver that just recovered is not flooded. */
const SPACING_MS = 100;
/** A message that was replayed within this time is not replayed again, so that a double click sends it once. */
const TOO_SOON_MS = 10_000;

/** A message with as many attempts is not replayed, because lists of deliveries contain all attempts. A message that fails for a day has 14. */
export const MOST_ATTEMPTS = 100;

/**
 * Makes deliveries of a locked channel pending again under their IDs, in the order of their creation. Skips pending and recently replayed ones, and
 * those with `MOST_ATTEMPTS`.
 * @returns those that were made pending
 */
export async function makePending(
  tx: Tx,
  { channelId, ids, replayedBy }: { channelId: string; ids: string[]; replayedBy: string },
): Promise<string[]> {
  // Raw: locks and numbers the rows, by the database's clock.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    with locked as materialized (
      select id, seq from deliveries
      where channel_id = ${channelId} and id = any(${ids}::text[]) and status <> 'pending' and event <> 'channel.test'
        and (replayed_at is null or replayed_at < clock_timestamp() - ${TOO_SOON_MS}::int * interval '1 millisecond')
        and (select count(*) from delivery_attempts attempt where attempt.delivery_id = deliveries.id) < ${MOST_ATTEMPTS}::int
      order by id for no key update
    ), numbered as (
      select id, row_number() over (order by seq) - 1 as place from locked
    )
    update deliveries d set status = 'pending', replayed_at = clock_timestamp(), replayed_by = ${replayedBy},
      next_attempt_at = clock_timestamp() + numbered.place * ${SPACING_MS}::int * interval '1 millisecond'
    from numbered where d.id = numbered.id
    returning d.id`;
  return rows.map(({ id }) => id);
}
