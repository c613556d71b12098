import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import type { IncidentRow } from '../to-incident';
import { findAbove, setBelow } from './dependency-queries';
import { HOLD_MS, settleJob } from './settle-job';

/**
 * Puts new incidents below the open downtime of what their monitors depend on, or holds them while that is being confirmed. Certificates depend on
 * nothing.
 * @returns the incidents as they are now
 */
export async function hangBelow(tx: Tx, opened: IncidentRow[]): Promise<IncidentRow[]> {
  const monitorIds = opened.flatMap(({ type, monitorId }) => (type === 'certificate' || !monitorId ? [] : [monitorId]));
  if (monitorIds.length === 0) return opened;
  const above = await findAbove(tx, monitorIds);
  if (above.size === 0) return opened;
  const heldUntil = new Date((await databaseNow(tx)).getTime() + HOLD_MS);
  const placed = opened.map((incident) => {
    const found = incident.type === 'certificate' ? undefined : above.get(incident.monitorId ?? '');
    const parentIncidentId = found?.incidentId ?? null;
    const isHeld = found !== undefined && parentIncidentId === null && found.isConfirming;
    return { ...incident, parentIncidentId, heldUntil: isHeld ? heldUntil : null };
  });
  await setBelow(
    tx,
    placed.filter((each) => each.parentIncidentId !== null || each.heldUntil !== null),
  );
  if (placed.some((each) => each.heldUntil !== null)) await enqueue(tx, settleJob, {}, { runAt: heldUntil });
  return placed;
}
