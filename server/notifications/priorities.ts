import type { Tx } from '@/server/platform/db';
import { countWaiting } from './delivery-queries';

/** So many waiting messages of a team put its next ones a step back. */
const PER_STEP = 20;
/**
 * In which order the queue takes these deliveries, by id, the lowest first: the more messages of their team wait
 * already, the later. One team's thousand messages to receivers that hang do not keep another's single one waiting.
 * Not counted are those that rest until an earlier one is done with. However many wait, it takes a few milliseconds.
 */
export async function prioritiesOf(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await countWaiting(tx, ids);
  return new Map(rows.map(({ id, waiting }) => [id, Math.floor(waiting / PER_STEP)]));
}
