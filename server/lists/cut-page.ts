/**
 * The page of a list ordered by ID, of which one row more than `limit` was read.
 * @returns its rows, and the cursor of the next page: the last ID, null on the last page
 */
export function cutPage<Row extends { id: string }>(
  rows: Row[],
  limit: number,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
