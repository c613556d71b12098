/**
 * Makes a page of a list ordered by ID from rows of which one more than `limit` was read.
 * @returns the rows, and the cursor of the next page: the last ID, null on the last page
 */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
