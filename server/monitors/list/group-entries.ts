import { MOST_LISTED, type OverviewGroup, type OverviewOrder } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import type { ListEntry } from './list-queries';

/** Returns the keys of the groups that a monitor belongs to; a key of null is the group without the property. */
function keysOf({ tags, type, parentId }: ListEntry, group: OverviewGroup): (string | null)[] {
  switch (group) {
    case 'tag':
      return tags.length > 0 ? [...new Set(tags)] : [null];
    case 'type':
      return [type];
    case 'parent':
      return [parentId];
    default:
      return group satisfies never;
  }
}

/** Yields a row for each group that a monitor belongs to. */
function* rowsOf(entries: ListEntry[], group: OverviewGroup): Generator<{ key: string | null; id: string }> {
  for (const entry of entries) for (const key of keysOf(entry, group)) yield { key, id: entry.id };
}

async function readNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.monitor.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Divides entries into groups in the order of their first appearance; monitors without the grouped property come last. Lists at most `MOST_LISTED`
 * rows in all groups together; `isComplete` is false if there are more.
 */
export async function groupEntries(
  db: Db,
  entries: ListEntry[],
  group: OverviewGroup | undefined,
): Promise<OverviewOrder> {
  if (!group) {
    const ids = entries.slice(0, MOST_LISTED).map(({ id }) => id);
    return {
      groups: ids.length > 0 ? [{ key: null, name: null, ids }] : [],
      isComplete: entries.length <= MOST_LISTED,
    };
  }
  const groups = new Map<string | null, string[]>();
  let listed = 0;
  let isComplete = true;
  for (const { key, id } of rowsOf(entries, group)) {
    if (listed === MOST_LISTED) {
      isComplete = false;
      break;
    }
    listed += 1;
    const ids = groups.get(key);
    if (ids) ids.push(id);
    else groups.set(key, [id]);
  }
  const names =
    group === 'parent'
      ? await readNames(
          db,
          [...groups.keys()].filter((key) => key !== null),
        )
      : null;
  const all = [...groups].map(([key, ids]) => ({
    key,
    name: key === null ? null : names ? (names.get(key) ?? null) : key,
    ids,
  }));
  const [without, having] = [all.filter(({ key }) => key === null), all.filter(({ key }) => key !== null)];
  return { groups: [...having, ...without], isComplete };
}
