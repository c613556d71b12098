import { mostEvents } from '@/server/notifications/count-channels';
import type { db, Tx } from '@/server/platform/db';

/** The number of incidents that one transaction locks. */
const AT_ONCE = 100;

/** A change of incidents of one team. */
interface Parts<Item> {
  db: typeof db;
  teamId: string;
  items: Item[];
}

/**
 * Changes incidents in transactions that each write a bounded number of deliveries, because others wait for their locks and for the connection.
 * Messages of one transaction can be grouped, so each has as many incidents as possible.
 * @returns the results of all parts
 */
export async function inParts<Item, Result>(
  { db, teamId, items }: Parts<Item>,
  work: (tx: Tx, part: Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const size = Math.min(AT_ONCE, await mostEvents(db, teamId));
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += size) {
    results.push(...(await db.$transaction((tx) => work(tx, items.slice(at, at + size)))));
  }
  return results;
}
