import { type AppError, invalidField } from './errors';
import { isId } from './ids';

/** The error of a cursor that no page gave. */
export function invalidCursor(): AppError {
  return invalidField('cursor', 'Use the nextCursor of the previous page.');
}

/** Reads a cursor that is a time, as `toISOString` writes it, from 1970 on. @throws AppError VALIDATION_ERROR (cursor) */
export function parseTimeCursor(cursor: string): Date {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(cursor)) throw invalidCursor();
  const at = new Date(cursor);
  // A day that is in no calendar is an invalid date, or slips into the month after.
  if (Number.isNaN(at.getTime()) || at.toISOString() !== cursor || at.getTime() < 0) throw invalidCursor();
  return at;
}

/** Reads a cursor "<time>_<id>": where a page ended that goes by time. @throws AppError VALIDATION_ERROR (cursor) */
export function parseCursor(cursor: string): { at: Date; id: string } {
  const [time = '', id = '', ...rest] = cursor.split('_');
  if (!isId(id) || rest.length > 0) throw invalidCursor();
  return { at: parseTimeCursor(time), id };
}
