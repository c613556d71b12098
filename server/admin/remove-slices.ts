/** Rows per statement. Each statement is a short transaction of its own, so that it delays no other work. */
const ROWS_AT_ONCE = 500;

interface Range<Key> {
  gt?: Key;
  lte?: Key;
}

/** The rows of one owner, ordered by a unique key that has an index. */
export interface Ordered<Key> {
  /** The key of the row at position `skip` in a range; undefined if there are fewer rows. */
  next: (range: Range<Key>, skip: number) => Promise<Key | undefined>;
  remove: (range: Range<Key>) => Promise<unknown>;
}

/**
 * Deletes rows in slices in the order of their key, so that no slice scans rows that earlier ones deleted. Concurrent runs wait for each other's
 * slices.
 * @returns false if it was aborted before all rows were deleted
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

/** A small number of rows of one owner, deleted in any order. */
export interface Unordered {
  findOne: () => Promise<unknown>;
  remove: (limit: number) => Promise<unknown>;
}

/**
 * Deletes rows in slices until none is left, also if a concurrent run deletes some of them.
 * @returns false if it was aborted before all rows were deleted
 */
export async function removeAll(signal: AbortSignal, { findOne, remove }: Unordered): Promise<boolean> {
  while ((await findOne()) !== null) {
    if (signal.aborted) return false;
    await remove(ROWS_AT_ONCE);
  }
  return true;
}
