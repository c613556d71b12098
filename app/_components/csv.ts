/** A cell of a CSV file: null is an empty one. */
export type CsvCell = string | number | null;

/**
 * Where spreadsheets begin to evaluate a formula (OWASP, "CSV injection"): at the start of a cell, and after what separates cells in other locales than
 * that of the file.
 */
const formula = /(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])/g;

function toCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // The apostrophe makes a spreadsheet show the text instead of evaluating it.
  const safe = value.replaceAll(formula, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180). Begins with a byte order mark, by which spreadsheets recognise UTF-8. */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`;
}

/** Saves rows as a file of this name with the date: `monitors-2026-11-27.csv`. */
export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  const url = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  // The download reads the URL after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
