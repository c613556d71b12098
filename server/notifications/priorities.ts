import type { Tx } from '@/server/platform/db';

/** So many waiting messages of a team put its next ones a step back. */
const PER_STEP = 20;
/** So many are counted; a team with more waits behind everybody with fewer anyway. */
const MOST_COUNTED = 400;

/**
 * In which order the queue takes these deliveries, by id, the lowest first: the more messages of their team wait
 * already, the later. One team's thousand messages to receivers that hang do not keep another's single one waiting.
 * Not counted are those that rest until an earlier one is done with. However many wait, it takes a few milliseconds.
 */
export async function prioritiesOf(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ id: string; waiting: number }[]>`
    with wanted as materialized (
      select id, team_id from deliveries where id = any(${ids}::text[])
    ), waiting as materialized (
      select team.team_id, (
        select count(*)::int from (
          select pending.after_id from deliveries pending
          where pending.team_id = team.team_id and pending.status = 'pending'
            and pending.next_attempt_at <= statement_timestamp()
          limit ${MOST_COUNTED}::int
        ) due
        -- One look by key for each: as a join, it may go through all that are pending for each that is.
        where (select earlier.status from deliveries earlier where earlier.id = due.after_id) is distinct from 'pending'
      ) as count
      from (select distinct team_id from wanted) team
    )
    select wanted.id, waiting.count as waiting from wanted join waiting using (team_id)`;
  return new Map(rows.map(({ id, waiting }) => [id, Math.floor(waiting / PER_STEP)]));
}
