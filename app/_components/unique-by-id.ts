/** Removes duplicates from the pages of a list, because rows can move between pages while they load. Keeps the last occurrence. */
export function uniqueById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
