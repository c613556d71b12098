import { MOST_LISTED } from '@/server/monitor-types/schema';
import { takeLoopTurn } from '@/server/platform/loop-share';

/** The number of rows that are read in a turn. Receiving them blocks the thread for a few milliseconds. */
const ROWS_A_TURN = 1_000;

/**
 * Reads a list in turns with other teams. Stops at one row more than `MOST_LISTED`, which shows that there are more.
 * @param read reads up to `limit` rows after the last one
 */
export async function readInPages<Row>(
  teamId: string,
  read: (last: Row | undefined, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let isMore = true; isMore && rows.length <= MOST_LISTED; ) {
    await takeLoopTurn(teamId);
    const page = await read(rows.at(-1), ROWS_A_TURN);
    rows.push(...page);
    isMore = page.length === ROWS_A_TURN;
  }
  return rows.slice(0, MOST_LISTED + 1);
}
