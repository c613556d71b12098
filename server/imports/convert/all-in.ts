import { type DraftBuilder, UnreadableFile } from '../draft';
import { type Row, readJson, textOf, toRow, toRows } from './rows';

/**
 * Returns the objects in a JSON file that contains one or several responses of an API: those in a field of the object, or of each object of a list.
 * Adds a note to the draft if some responses lack the field, or if the last one names a next page.
 * @param fields the names that the field may have
 * @param other the message for a file without objects
 * @throws UnreadableFile
 */
export function allIn(file: Buffer, builder: DraftBuilder, fields: readonly string[], other: string): Row[] {
  const content = readJson(file);
  const answers = (Array.isArray(content) ? content : [content]).map(toRow);
  const found = answers.flatMap((row) => {
    const field = fields.find((name) => Object.hasOwn(row, name));
    const inside = field === undefined ? null : row[field];
    if (Array.isArray(inside)) return toRows(inside);
    return typeof inside === 'object' && inside !== null ? [toRow(inside)] : [];
  });
  if (found.length === 0) throw new UnreadableFile(other);
  const others = answers.filter((row) => !fields.some((name) => Object.hasOwn(row, name))).length;
  if (others > 0) builder.draft.notes.push(`Answers in the file that are something else, such as errors: ${others}.`);
  const last = answers.at(-1) ?? {};
  if (textOf(toRow(last.pagination), 'next') !== '' || textOf(last, 'next') !== '') {
    builder.draft.notes.push('The file ends before the last page. Save and import the next pages, too.');
  }
  return found;
}
