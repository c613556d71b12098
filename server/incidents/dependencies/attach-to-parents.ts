import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import type { IncidentRow } from '../to-incident';
import { checkDependencies, findDependencies, setParents } from './dependency-queries';
import { HOLD_MS, settleJob } from './settle-job';

/**
 * Attaches new incidents to the open downtime of a dependency of their monitors. If a dependency is being confirmed down, or was not checked since
 * the incident began, holds the incident for 30 s and makes the dependency due for a check. Skips certificate incidents.
 * @returns all given incidents, with their parents and holds
 */
export async function attachToParents(tx: Tx, opened: IncidentRow[]): Promise<IncidentRow[]> {
  const monitorIds = opened.flatMap(({ type, monitorId }) => (type === 'certificate' || !monitorId ? [] : [monitorId]));
  if (monitorIds.length === 0) return opened;
  const above = await findDependencies(tx, monitorIds);
  if (above.size === 0) return opened;
  const heldUntil = new Date((await databaseNow(tx)).getTime() + HOLD_MS);
  const placed = opened.map((incident) => {
    const found = incident.type === 'certificate' ? undefined : above.get(incident.monitorId ?? '');
    const parentIncidentId = found?.incidentId ?? null;
    const isUnknown = found?.checkedAt != null && found.checkedAt < incident.startedAt;
    const isHeld = found !== undefined && parentIncidentId === null && (found.isConfirming || isUnknown);
    return { ...incident, parentIncidentId, heldUntil: isHeld ? heldUntil : null };
  });
  await setParents(
    tx,
    placed.filter((each) => each.parentIncidentId !== null || each.heldUntil !== null),
  );
  const held = placed.flatMap(({ heldUntil: until, monitorId }) => (until && monitorId ? [monitorId] : []));
  if (held.length > 0) {
    await checkDependencies(tx, held);
    await enqueue(tx, settleJob, {}, { runAt: heldUntil });
  }
  return placed;
}
