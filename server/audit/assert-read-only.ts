import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '@/server/platform/errors';

const names = ['id', 'teamId', 'type', 'createdAt', 'fallbackChannelId', 'components'] as const;
type Named = { [Name in (typeof names)[number]]?: unknown };

/**
 * Rejects changes of fields that an update cannot change. The current value is accepted, so that a response can be sent back. Fields that change by
 * themselves, such as `status` and `updatedAt`, are not compared, so all of their values are ignored.
 * @throws AppError VALIDATION_ERROR
 */
export function assertReadOnly(given: Named, present: Named): void {
  for (const name of names) {
    if (given[name] === undefined || isDeepStrictEqual(given[name], present[name])) continue;
    throw invalidField(name, 'This field is read-only: omit it.');
  }
}
