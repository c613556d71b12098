import type { Tx } from '@/server/platform/db';
import { countWaiting } from './delivery-queries';

/** A team with this many waiting messages gets the next lower priority. */
const PER_STEP = 20;
/**
 * The queue priority of each delivery by ID, lowest first: the more messages of its team are waiting, the later. One team's thousand messages to
 * hanging receivers do not delay another's single one. Deliveries that wait for a predecessor are not counted. Takes a few milliseconds, however many
 * wait.
 */
export async function prioritiesOf(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await countWaiting(tx, ids);
  return new Map(rows.map(({ id, waiting }) => [id, Math.floor(waiting / PER_STEP)]));
}
