import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';

/** The maximum number of updates of an incident with which people can add more. Pages and messages look for some of them in its timeline. */
const MOST_UPDATES = 2_000;

/**
 * Rejects a change by a person or a script that would add another update to a locked incident. Checks are not limited.
 * @throws AppError VALIDATION_ERROR
 */
export async function assertRoom(tx: Tx, incidentId: string): Promise<void> {
  if ((await tx.incidentUpdate.count({ where: { incidentId }, take: MOST_UPDATES })) < MOST_UPDATES) return;
  const message = `An incident can have at most ${MOST_UPDATES.toLocaleString('en')} updates. Create another incident.`;
  throw new AppError('VALIDATION_ERROR', message, { issues: [{ path: 'id', message }] });
}
