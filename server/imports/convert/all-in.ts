import { UnreadableFile } from '../draft';
import { type Row, readJson, toRow, toRows } from './rows';

/**
 * The objects in a file of JSON: those in a field of an object, or of each object of a list, as several pages or answers are.
 * @param fields the names that the field may have
 * @param other the message for a file that has none
 */
export function allIn(file: Buffer, fields: readonly string[], other: string): Row[] {
  const content = readJson(file);
  const found = (Array.isArray(content) ? content : [content]).flatMap((each: unknown) => {
    const row = toRow(each);
    const field = fields.find((name) => Object.hasOwn(row, name));
    const inside = field === undefined ? null : row[field];
    if (Array.isArray(inside)) return toRows(inside);
    return typeof inside === 'object' && inside !== null ? [toRow(inside)] : [];
  });
  if (found.length === 0) throw new UnreadableFile(other);
  return found;
}
