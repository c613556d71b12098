import type { Tx } from '@/server/platform/db';

/** So many waiting messages of a team put its next ones a step back. */
const PER_STEP = 20;
const LAST_STEP = 1_000;

/**
 * In which order the queue takes these deliveries, by id, the lowest first: the more messages of their team wait
 * already, the later. One team's thousand messages to receivers that hang do not keep another's single one waiting.
 * Not counted are those that rest until an earlier one is done with.
 */
export async function prioritiesOf(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ id: string; waiting: number }[]>`
    with wanted as materialized (
      select id, team_id from deliveries where id = any(${ids}::text[])
    ), waiting as materialized (
      select team_id, count(*)::int as count from deliveries
      where status = 'pending' and next_attempt_at <= clock_timestamp() and team_id in (select team_id from wanted)
        -- One look by key for each: as a join, it may go through all that are pending for each that is.
        and (select earlier.status from deliveries earlier where earlier.id = deliveries.after_id) is distinct from 'pending'
      group by team_id
    )
    select wanted.id, coalesce(waiting.count, 0) as waiting from wanted left join waiting using (team_id)`;
  return new Map(rows.map(({ id, waiting }) => [id, Math.min(LAST_STEP, Math.floor(waiting / PER_STEP))]));
}
