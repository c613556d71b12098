import { z } from 'zod';
import { toMonitor } from '@/server/monitor-types/output/to-monitor';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { db } from '@/server/platform/db';
import { BEHIND_ALERTS, defineJob, enqueue } from '@/server/platform/jobs';
import { notify } from '@/server/platform/listen';
import { lockMonitor } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditMonitors } from '../audit-monitor';
import { removeMonitor } from '../delete-monitor';
import { setDeletion } from '../queries';
import type { BulkChange, BulkRow } from './bulk-change';
import { switchMonitors } from './switch-all';

/**
 * How long a deletion can be undone: longer than the dashboard offers the undo, and shorter than the undo of the pause that it starts with, so that
 * restored monitors get their status and incidents back.
 */
export const UNDO_DELETION_MS = 20_000;

/** The number of monitors whose configs are read together for the audit log, because configs are large. */
const CONFIGS_AT_ONCE = 10;

async function auditDeletions(tx: Tx, ctx: TeamContext, rows: BulkRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += CONFIGS_AT_ONCE) {
    const some = rows.slice(from, from + CONFIGS_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const configs = await tx.monitor.findMany({ where: { id: { in: ids } }, select: { id: true, config: true } });
    const stored = new Map(configs.map(({ id, config }) => [id, config]));
    const changes = some.map((row) => {
      return { before: { monitor: toMonitor(row, 'masked'), stored: stored.get(row.id) ?? {} }, after: null };
    });
    await auditMonitors(tx, ctx, 'monitor.delete', changes);
  }
}

/** Pauses monitors, and queues their deletion for when it can no longer be undone. Skips monitors that are being deleted already. */
export function deleteLater(ctx: TeamContext): BulkChange {
  return async (tx, teamId, monitors) => {
    const others = monitors.filter(({ deletesAt }) => deletesAt === null);
    const [active, paused] = [others.filter(({ isActive }) => isActive), others.filter(({ isActive }) => !isActive)];
    const { changed: switched, refused } = await switchMonitors(tx, teamId, active, false);
    const changed = [...switched, ...paused];
    if (changed.length === 0) return { changed, refused };
    const deletesAt = new Date((await databaseNow(tx)).getTime() + UNDO_DELETION_MS);
    await setDeletion(tx, switched, { deletesAt, resumesOnUndo: true });
    await setDeletion(tx, paused, { deletesAt, resumesOnUndo: false });
    const ids = changed.map(({ id }) => id);
    await enqueue(tx, deleteMonitors, { teamId, ids }, { runAt: deletesAt, priority: BEHIND_ALERTS });
    await auditDeletions(tx, ctx, changed);
    await notify(tx, { team: teamId, kind: 'monitor', ids });
    return { changed, refused };
  };
}

/** Undoes the deletion of monitors. Those that were active are resumed as if they had not been paused. */
export const restore: BulkChange = async (tx, teamId, monitors) => {
  const changed = monitors.filter(({ deletesAt }) => deletesAt !== null);
  const ids = changed.map(({ id }) => id);
  await setDeletion(tx, changed, { deletesAt: null, resumesOnUndo: false });
  await switchMonitors(
    tx,
    teamId,
    changed.filter(({ resumesOnUndo }) => resumesOnUndo),
    true,
  );
  if (ids.length > 0) await notify(tx, { team: teamId, kind: 'monitor', ids });
  return { changed, audit: 'monitor.restore' };
};

/**
 * Deletes the monitors whose deletion was not undone in time; skips the others. An undo locks the same rows, so that a monitor is either restored or
 * deleted.
 */
export const deleteMonitors = defineJob({
  name: 'delete-monitors',
  schema: z.object({ teamId: z.string(), ids: z.array(z.string()) }),
  async run({ teamId, ids }, { signal }) {
    for (const id of ids) {
      signal.throwIfAborted();
      await db.$transaction(async (tx) => {
        if ((await lockMonitor(tx, teamId, { id })) === null) return;
        const now = await databaseNow(tx);
        const row = await tx.monitor.findFirst({ where: { id, deletesAt: { lte: now } }, select: { id: true } });
        if (row) await removeMonitor(tx, teamId, id);
      });
    }
  },
});
