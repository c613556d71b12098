import { invalidField } from '@/server/platform/errors';
import { type Times, whyNoRecurrence } from './recurrence';

/**
 * Checks the recurrence of a window; null is valid.
 * @throws AppError VALIDATION_ERROR for an invalid rule, or one that never matches a date
 */
export function assertRecurs(times: Times): void {
  const wrong = whyNoRecurrence(times);
  if (wrong !== null) throw invalidField('recurrence', wrong);
}
