import { databaseNow } from '@/server/platform/database-now';
import { db, type Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { defineJob } from '@/server/platform/jobs';
import { enqueueNotifications } from '../events';
import { incidentInclude } from '../to-incident';
import { findAbove, lockHidden, setBelow } from './dependency-queries';
import { settleJob } from './settle-job';

/** Tells incidents that were not told. An acknowledged one is not told: the person who acknowledged it knows. */
async function tell(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.incident.updateMany({ where: { id: { in: ids } }, data: { parentIncidentId: null, heldUntil: null } });
  const rows = await tx.incident.findMany({ where: { id: { in: ids } }, include: incidentInclude });
  const at = await databaseNow(tx);
  const message = 'The monitor is still failing, and nothing that it depends on is down. Its channels were notified.';
  const open = rows.filter(({ status }) => status === 'open');
  await tx.incidentUpdate.createMany({
    data: open.map(({ id }) => ({ id: newId(), incidentId: id, kind: 'note' as const, message, at })),
  });
  await enqueueNotifications(tx, 'incident.opened', open);
}

/**
 * Decides again on incidents without notifications because of what their monitors depend on: once that is over, or a hold has ended. An incident is
 * attached to the next one, notified with its true start, or left for later while its monitor may be recovering too. Decides on state under lock, so that it
 * may run at any time, also twice at once.
 */
export const settleDependencies = defineJob({
  ...settleJob,
  async run() {
    await db.$transaction(async (tx) => {
      const hidden = await lockHidden(tx);
      const above = await findAbove(
        tx,
        hidden.flatMap(({ monitorId }) => monitorId ?? []),
      );
      const unnotified: string[] = [];
      const below: Parameters<typeof setBelow>[1] = [];
      for (const { id, monitorId, isHeld, stillFails } of hidden) {
        const parentIncidentId = above.get(monitorId ?? '')?.incidentId ?? null;
        if (parentIncidentId !== null) below.push({ id, parentIncidentId, heldUntil: null });
        else if (isHeld || stillFails) unnotified.push(id);
      }
      await setBelow(tx, below);
      await tell(tx, unnotified);
    });
  },
});
