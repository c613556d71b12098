import { invalidField } from '@/server/platform/errors';
import type { Layer } from './schema';

/**
 * Checks that the people of layers are members of the team.
 * @param before the former layers, whose people may have left the team since
 * @throws AppError VALIDATION_ERROR
 */
export function assertMembers(layers: Layer[], members: ReadonlyMap<string, string>, before: Layer[] = []): void {
  const known = new Set(before.flatMap(({ userIds }) => userIds));
  for (const [index, { userIds }] of layers.entries()) {
    const place = userIds.findIndex((id) => !members.has(id) && !known.has(id));
    if (place >= 0) throw invalidField(`layers.${index}.userIds.${place}`, 'This person is not a member of the team.');
  }
}
