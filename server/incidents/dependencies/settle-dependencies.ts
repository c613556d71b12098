import { mostEvents } from '@/server/notifications/count-channels';
import { databaseNow } from '@/server/platform/database-now';
import { db, type Tx } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { findIncidents } from '../affected-queries';
import { enqueueNotifications } from '../events';
import { insertUpdates } from '../queries';
import { findDependencies, findUnsettled, lockUnnotified, setParents } from './dependency-queries';
import { settleJob } from './settle-job';

/**
 * Detaches incidents from their parents and ends their holds. For those that are not acknowledged, adds a note to the timeline and enqueues
 * notifications, because nobody knows of them yet.
 */
async function notifyOpened(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.incident.updateMany({ where: { id: { in: ids } }, data: { parentIncidentId: null, heldUntil: null } });
  const rows = await findIncidents(tx, { id: { in: ids } });
  const at = await databaseNow(tx);
  const message = 'The monitor is still failing, and nothing that it depends on is down. Its channels were notified.';
  const open = rows.filter(({ status }) => status === 'open');
  await insertUpdates(
    tx,
    open.map(({ id }) => ({ incidentId: id, kind: 'note', message, at })),
  );
  await enqueueNotifications(tx, 'incident.opened', open);
}

/**
 * Settles the incidents of one team in a transaction: attaches them to another parent, notifies those whose monitor still fails, leaves the others.
 * Notifies only as many as one transaction may.
 * @returns whether more incidents remain to be notified
 */
function settleTeam(teamId: string): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const waiting = await lockUnnotified(tx, teamId);
    const above = await findDependencies(
      tx,
      waiting.flatMap(({ monitorId }) => monitorId ?? []),
    );
    const unnotified: string[] = [];
    const attached: Parameters<typeof setParents>[1] = [];
    for (const { id, monitorId, isHeld, stillFails } of waiting) {
      const parentIncidentId = above.get(monitorId ?? '')?.incidentId ?? null;
      if (parentIncidentId !== null) attached.push({ id, parentIncidentId, heldUntil: null });
      else if (isHeld || stillFails) unnotified.push(id);
    }
    await setParents(tx, attached);
    const most = unnotified.length > 0 ? await mostEvents(tx, teamId) : 0;
    await notifyOpened(tx, unnotified.slice(0, most));
    return unnotified.length > most;
  });
}

/**
 * Settles incidents that were not notified because of a dependency, once the dependency's incident is resolved or the hold has ended. Attaches each
 * to another parent, or enqueues its notifications with its true start, or leaves it while its monitor may still recover. Reads all state under
 * locks, so that it may run at any time and concurrently. Teams take turns, and the failure of one does not affect the others.
 */
export const settleDependencies = defineJob({
  ...settleJob,
  async run(_payload, { signal }) {
    for (let teamIds = await findUnsettled(db); teamIds.length > 0; ) {
      const unfinished: string[] = [];
      for (const teamId of teamIds) {
        if (signal.aborted) return;
        try {
          if (await settleTeam(teamId)) unfinished.push(teamId);
        } catch (error) {
          log.error({ err: error, team: teamId }, 'The incidents of a team that depend on others could not be decided');
        }
      }
      teamIds = unfinished;
    }
  },
});
