import { mostEvents } from '@/server/notifications/count-channels';
import type { db, Tx } from '@/server/platform/db';

/** The number of incidents that one transaction locks. */
const AT_ONCE = 100;

/** Incidents of one team, or references to them, and the database to change them in. */
interface Parts<Item> {
  db: typeof db;
  teamId: string;
  items: Item[];
}

/**
 * Changes incidents in several transactions. Each writes a bounded number of deliveries, because others wait for its locks and its connection, but
 * has as many incidents as possible, because the messages of one transaction can be grouped.
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
