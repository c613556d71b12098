/** An object of a file: a row of a table, or a mapping of JSON or YAML. */
export type Row = Record<string, unknown>;

/** A value as a row; an empty row for anything but an object. */
export const toRow = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};

/** The rows of a list; none for anything but a list. */
export const toRows = (value: unknown): Row[] => (Array.isArray(value) ? value.map(toRow) : []);
