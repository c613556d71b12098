import { isDataError } from './db';

/** The maximum number of concurrent writes of parts. Other statements of the process still need connections. */
const LANES = 4;

export interface WrittenApart<Item> {
  /** Items that the database rejected even individually, because of their data. */
  rejected: { item: Item; error: unknown }[];
  /** The unwritten items and the transient error that stopped the writes. */
  unwritten: Item[];
  error: unknown;
}

function halves<Item>(items: Item[]): Item[][] {
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}

/**
 * Writes items in one batch. If the database rejects the data, splits the batch in halves, recursively, until every rejected item is separate and all
 * others are written. Stops at the first transient error. Never rejects.
 * @param write writes all of these items or none
 */
export async function writeApart<Item>(
  items: Item[],
  write: (items: Item[]) => Promise<void>,
): Promise<WrittenApart<Item>> {
  const result: WrittenApart<Item> = { rejected: [], unwritten: [], error: null };
  const attempt = async (part: Item[]): Promise<Item[][]> => {
    try {
      await write(part);
      return [];
    } catch (error) {
      const [only] = part;
      if (isDataError(error) && part.length > 1) return halves(part);
      if (isDataError(error) && only !== undefined) result.rejected.push({ item: only, error });
      else {
        result.unwritten.push(...part);
        result.error = error;
      }
      return [];
    }
  };
  for (let parts = [items]; parts.length > 0; ) {
    const now = result.error === null ? parts.splice(0, LANES) : [];
    if (now.length === 0) result.unwritten.push(...parts.splice(0).flat());
    parts = [...parts, ...(await Promise.all(now.map(attempt))).flat()];
  }
  return result;
}
