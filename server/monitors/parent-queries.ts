import type { Tx } from '@/server/platform/db';

/** The maximum depth of the recursion, which ends cycles: more levels than any chain can have. */
const ENOUGH = 20;

/** Returns whether a parent already depends on the monitor (cycle), and how many dependencies the longest chain through both would have. */
export async function countLevels(tx: Tx, id: string, parentId: string): Promise<{ isCycle: boolean; levels: number }> {
  // Raw: recursive queries up from the parent and down from the monitor.
  const [row] = await tx.$queryRaw<{ isCycle: boolean; above: number; below: number }[]>`
    with recursive up as (
      select ${parentId}::text as id, 1 as level
      union all
      select monitor.parent_id, level + 1 from up join monitors monitor on monitor.id = up.id
      where monitor.parent_id is not null and level < ${ENOUGH}::int
    ), down as (
      select ${id}::text as id, 0 as level
      union all
      select monitor.id, level + 1 from down join monitors monitor on monitor.parent_id = down.id
      where level < ${ENOUGH}::int
    )
    select bool_or(up.id = ${id}) as "isCycle", max(up.level) as above, (select max(level) from down) as below from up`;
  return { isCycle: row?.isCycle ?? false, levels: (row?.above ?? 0) + (row?.below ?? 0) };
}
