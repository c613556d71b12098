import { isDeepStrictEqual } from 'node:util';

/** Returns whether an edit changes nothing. Such an edit creates no new version and no audit entry, so that scripts can repeat it. */
export function changesNothing<Thing extends object>(
  before: Thing,
  given: { [Field in keyof Thing]?: unknown },
): boolean {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined);
  return fields.every(([field, value]) => isDeepStrictEqual(value, before[field as keyof Thing]));
}
