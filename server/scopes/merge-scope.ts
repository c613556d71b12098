import { invalidField } from '@/server/platform/errors';
import { type MonitorScope, whyNobody } from './schema';

/**
 * The scope after an edit; one of all monitors that gets tags is for just these.
 * @throws AppError VALIDATION_ERROR where the edit leaves no monitors
 */
export function mergeScope(
  before: MonitorScope,
  input: { monitorIds?: string[] | null | undefined; tags?: string[] | undefined },
): MonitorScope {
  const tags = input.tags ? [...new Set(input.tags)] : before.tags;
  const given = input.monitorIds === undefined ? before.monitorIds : input.monitorIds;
  const monitorIds = given === null && tags.length > 0 ? [] : given && [...new Set(given)].sort();
  // Its only monitor may have been deleted, which does not keep the rest from being edited.
  const nobody = input.monitorIds === undefined && input.tags === undefined ? null : whyNobody(monitorIds, tags);
  if (nobody !== null) throw invalidField(input.monitorIds === undefined ? 'tags' : 'monitorIds', nobody);
  return { monitorIds, tags };
}
