import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';

/** From this number of updates on, people cannot add more. The number is limited because pages and messages search the timeline. */
const MOST_UPDATES = 2_000;

/**
 * Checks that a person or a script may add another update to an incident, which the caller has locked. Updates by checks are not limited.
 * @throws AppError VALIDATION_ERROR
 */
export async function assertRoom(tx: Tx, incidentId: string): Promise<void> {
  if ((await tx.incidentUpdate.count({ where: { incidentId }, take: MOST_UPDATES })) < MOST_UPDATES) return;
  const message = `An incident can have at most ${MOST_UPDATES.toLocaleString('en')} updates. Create another incident.`;
  throw new AppError('VALIDATION_ERROR', message, { issues: [{ path: 'id', message }] });
}
