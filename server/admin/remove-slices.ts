/** Rows per statement, which is its own transaction: so short that nobody notices it. */
const ROWS_AT_ONCE = 500;

interface Range<Key> {
  gt?: Key;
  lte?: Key;
}

/** Rows of one owner that an index has in the order of a unique key. */
export interface Ordered<Key> {
  /** The key of the row that follows after so many others in a range. */
  next: (range: Range<Key>, skip: number) => Promise<Key | undefined>;
  remove: (range: Range<Key>) => Promise<unknown>;
}

/**
 * Removes rows in slices in the order of their key, so that no slice passes what former ones deleted. Of two runs at once, each waits for the slices
 * of the other, and ends when nothing is left.
 * @returns false if it was aborted before
 */
export async function removeInOrder<Key extends string | Date>(
  signal: AbortSignal,
  { next, remove }: Ordered<Key>,
): Promise<boolean> {
  let from: Range<Key> = {};
  for (;;) {
    if (signal.aborted) return false;
    const last = await next(from, ROWS_AT_ONCE - 1);
    await remove({ ...from, ...(last !== undefined && { lte: last }) });
    if (last === undefined) return true;
    from = { gt: last };
  }
}

/** Rows of one owner, of which there are not that many. */
export interface Unordered {
  findOne: () => Promise<unknown>;
  remove: (limit: number) => Promise<unknown>;
}

/**
 * Removes rows in slices without an order, until none is left: another run may have deleted those of a slice.
 * @returns false if it was aborted before
 */
export async function removeAll(signal: AbortSignal, { findOne, remove }: Unordered): Promise<boolean> {
  while ((await findOne()) !== null) {
    if (signal.aborted) return false;
    await remove(ROWS_AT_ONCE);
  }
  return true;
}
