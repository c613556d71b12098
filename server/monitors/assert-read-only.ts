import type { Monitor } from '@/server/monitor-types/schema';
import { invalidField } from '@/server/platform/errors';

const names = ['id', 'teamId', 'type', 'createdAt'] as const;
type Given = { [Name in (typeof names)[number]]?: string | undefined };

/**
 * Rejects changes of read-only fields. The current value is accepted, so that a response can be sent back. `status`, `lastCheckedAt` and
 * `updatedAt` change by themselves, so all of their values are ignored.
 * @throws AppError VALIDATION_ERROR
 */
export function assertReadOnly(given: Given, present: Pick<Monitor, 'teamId'> & Partial<Monitor>): void {
  for (const name of names) {
    if (given[name] === undefined || given[name] === present[name]) continue;
    throw invalidField(name, 'This field is read-only: omit it.');
  }
}
