import { violatedConstraint } from '@/server/platform/db';
import { AppError, invalidField } from '@/server/platform/errors';

/**
 * Runs a change that may set an external ID. Of concurrent changes with the same ID, the table's unique index rejects all but one.
 * @param kind of the object, as in "monitor"
 * @throws AppError VALIDATION_ERROR at externalId if another object of this kind has it
 */
export async function settingExternalId<Result>(kind: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!violatedConstraint(error)?.includes('external_id')) throw error;
    throw invalidField('externalId', `Another ${kind} of this team has this externalId.`);
  }
}

/** Returns whether a change failed because its external ID is in use. */
export function isExternalIdTaken(error: unknown): boolean {
  return error instanceof AppError && (error.issues?.some(({ path }) => path === 'externalId') ?? false);
}
