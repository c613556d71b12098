import { exceededLimit, type JsonSize } from '@/server/platform/json-size';
import { UnreadableFile } from '../draft';

/** An object of a file: a row of a table, or a mapping of JSON or YAML. */
export type Row = Record<string, unknown>;

/** Returns a value as a row; an empty row for anything but an object. */
export const toRow = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};

/** Returns the rows of a list; none for anything but a list. */
export const toRows = (value: unknown): Row[] => (Array.isArray(value) ? value.map(toRow) : []);

/** Returns the unchanged text of a field, such as a body or password; empty for anything but a text or a number. */
export function verbatimOf(row: Row, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the text of a field without spaces around it; empty for anything but a text or a number. */
export const textOf = (row: Row, name: string): string => verbatimOf(row, name).trim();

/** Returns the number in a field, which may be written as text; null if there is none. */
export function numberOf(row: Row, name: string): number | null {
  const text = textOf(row, name);
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null;
}

/** The maximum size of a text: the largest exports have some megabytes. A database has its own limits. */
const MOST_TEXT_MIB = 32;

/** The limits of a JSON file, because parsing takes memory by value and level: 5,000 objects with 100 fields each. */
const JSON_LIMITS: JsonSize = { levels: 100, values: 500_000, fields: 20_000 };

/**
 * Decodes a file, which must be UTF-8.
 * @throws UnreadableFile with the message `problem`
 */
export function decoded(file: Buffer, problem: string): string {
  if (file.length > MOST_TEXT_MIB * 1024 * 1024) throw new UnreadableFile(`The file is over ${MOST_TEXT_MIB} MB.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new UnreadableFile(problem);
  }
}

/**
 * Parses a JSON file.
 * @throws UnreadableFile
 */
export function readJson(file: Buffer, problem = 'This file is not valid JSON. Save the response again.'): unknown {
  const text = decoded(file, problem);
  const limit = exceededLimit(file, JSON_LIMITS);
  if (limit)
    throw new UnreadableFile(`This file has too many ${limit}: at most ${JSON_LIMITS[limit].toLocaleString('en')}.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFile(problem);
  }
}

/**
 * Returns the list in a JSON file: the file itself, or a field of its object.
 * @param other the message for a file without such a list, or with an empty one
 * @throws UnreadableFile
 */
export function listIn(file: Buffer, field: string, other: string): Row[] {
  const content = readJson(file);
  const rows = toRows(Array.isArray(content) ? content : toRow(content)[field]);
  if (rows.length === 0) throw new UnreadableFile(other);
  return rows;
}
