import { type AppError, invalidField } from './errors';
import { isId } from './ids';

/** Returns the error for an invalid cursor. */
export function invalidCursor(): AppError {
  return invalidField('cursor', 'Use the nextCursor of the previous page.');
}

/**
 * Parses a cursor that is a time, as `toISOString` writes it, from 1970 on.
 * @throws AppError VALIDATION_ERROR (cursor)
 */
export function parseTimeCursor(cursor: string): Date {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(cursor)) throw invalidCursor();
  const at = new Date(cursor);
  // A day that does not exist is an invalid date, or overflows into the next month.
  if (Number.isNaN(at.getTime()) || at.toISOString() !== cursor || at.getTime() < 0) throw invalidCursor();
  return at;
}

/**
 * Parses a cursor "<time>_<id>" of a list ordered by time.
 * @throws AppError VALIDATION_ERROR (cursor)
 */
export function parseCursor(cursor: string): { at: Date; id: string } {
  const [time = '', id = '', ...rest] = cursor.split('_');
  if (!isId(id) || rest.length > 0) throw invalidCursor();
  return { at: parseTimeCursor(time), id };
}
