/** Removes duplicates from the pages of a list, keeping the last occurrence: rows can move between pages while they load. */
export function uniqueById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
