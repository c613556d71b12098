import { invalidField } from '@/server/platform/errors';
import type { Monitor } from './schema';

const names = ['id', 'teamId', 'type', 'status', 'createdAt'] as const;
type Given = { [Name in (typeof names)[number]]?: string | undefined };

/**
 * Rejects changes of read-only fields. The current value is accepted, so that a response can be sent back; `lastCheckedAt` and `updatedAt` change by
 * themselves, so earlier values are accepted too.
 * @throws AppError VALIDATION_ERROR
 */
export function assertReadOnly(given: Given, present: Pick<Monitor, 'teamId'> & Partial<Monitor>): void {
  for (const name of names) {
    if (given[name] === undefined || given[name] === present[name]) continue;
    const hint = name === 'status' ? 'send isActive: false to pause the monitor.' : 'omit it.';
    throw invalidField(name, `This field is read-only: ${hint}`);
  }
}
