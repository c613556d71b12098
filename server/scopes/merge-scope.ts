import { invalidField } from '@/server/platform/errors';
import { emptyScopeError, type MonitorScope } from './schema';

/**
 * Returns the scope after an edit. A scope of all monitors that gets tags is limited to those tags.
 * @throws AppError VALIDATION_ERROR if the edit leaves no monitor or tag
 */
export function mergeScope(
  before: MonitorScope,
  input: { monitorIds?: string[] | null | undefined; tags?: string[] | undefined },
): MonitorScope {
  const tags = input.tags ? [...new Set(input.tags)] : before.tags;
  const given = input.monitorIds === undefined ? before.monitorIds : input.monitorIds;
  const monitorIds = given === null && tags.length > 0 ? [] : given && [...new Set(given)].sort();
  // An edit of other fields is accepted even if the scope is empty because its only monitor was deleted.
  const nobody = input.monitorIds === undefined && input.tags === undefined ? null : emptyScopeError(monitorIds, tags);
  if (nobody !== null) throw invalidField(input.monitorIds === undefined ? 'tags' : 'monitorIds', nobody);
  return { monitorIds, tags };
}
