import { isDeepStrictEqual } from 'node:util';

/**
 * Whether everything that an edit gives is as it was: then the edit leaves no trace, neither a new version nor an audit
 * entry, so that a script may send what it wants as often as it likes.
 */
export function changesNothing<Thing extends object>(
  before: Thing,
  given: { [Field in keyof Thing]?: unknown },
): boolean {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return fields.every(([field, value]) => isDeepStrictEqual(value, before[field as keyof Thing]));
}
