import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import type { IncidentRow } from '../to-incident';
import { checkAbove, findAbove, setBelow } from './dependency-queries';
import { HOLD_MS, settleJob } from './settle-job';

/**
 * Puts new incidents below the open downtime of what their monitors depend on. Holds them while that is being confirmed, or was not checked since they
 * began: then it is checked at once. Certificates depend on nothing.
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
    const isUnknown = found?.checkedAt != null && found.checkedAt < incident.startedAt;
    const isHeld = found !== undefined && parentIncidentId === null && (found.isConfirming || isUnknown);
    return { ...incident, parentIncidentId, heldUntil: isHeld ? heldUntil : null };
  });
  await setBelow(
    tx,
    placed.filter((each) => each.parentIncidentId !== null || each.heldUntil !== null),
  );
  const held = placed.flatMap(({ heldUntil: until, monitorId }) => (until && monitorId ? [monitorId] : []));
  if (held.length > 0) {
    await checkAbove(tx, held);
    await enqueue(tx, settleJob, {}, { runAt: heldUntil });
  }
  return placed;
}
