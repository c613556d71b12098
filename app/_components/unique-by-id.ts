/** The rows of several pages of a list, each once, as it came last: while pages are read, rows move between them. */
export function uniqueById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
