import { invalidField } from '@/server/platform/errors';
import type { Layer } from './schema';

/** @throws AppError VALIDATION_ERROR for a person who is not a member, unless the schedule already contained them */
export function assertMembers(layers: Layer[], members: ReadonlyMap<string, string>, before: Layer[] = []): void {
  const known = new Set(before.flatMap(({ userIds }) => userIds));
  for (const [index, { userIds }] of layers.entries()) {
    const place = userIds.findIndex((id) => !members.has(id) && !known.has(id));
    if (place >= 0) throw invalidField(`layers.${index}.userIds.${place}`, 'This person is not a member of the team.');
  }
}
