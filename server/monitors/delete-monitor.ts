import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { unlinkMonitor } from '@/server/incidents/unlink-monitor';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Tx } from '@/server/platform/db';
import { notify, notifySchedule } from '@/server/platform/listen';
import { lockMonitor } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditMonitor } from './audit-monitor';
import { notifyPause } from './pause';
import { readMonitor } from './queries';

/** A job removes the monitor from older incidents. Until then, those show its ID, but no name. */
const UNLINKED_AT_ONCE = 500;

/**
 * Deletes a monitor by ID or externalId. Resolves its open incidents and keeps all of them without the monitor. A job deletes its history
 * (`removeDeleted`), because there may be any amount of it.
 * @throws AppError NOT_FOUND
 */
export async function deleteMonitor({
  ctx,
  input,
}: Call<{ id: string } | { externalId: string }>): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    // Locks the monitor, so that its externalId does not change before it is deleted.
    const id = await lockMonitor(tx, team.id, input);
    if (id === null) throw monitorNotFound();
    const monitor = await readMonitor(tx, team.id, id, 'masked');
    const { config: stored } = await tx.monitor.findUniqueOrThrow({ where: { id }, select: { config: true } });
    await auditMonitor(tx, ctx, 'monitor.delete', { monitor, stored }, null);
    await removeMonitor(tx, team.id, id);
  });
  return { ok: true };
}

/**
 * Deletes a monitor of the team: resolves its open incidents and enqueues the notifications that a pause delayed. The caller has locked the monitor.
 */
export async function removeMonitor(tx: Tx, teamId: string, id: string): Promise<void> {
  const resolvedAt = new Date();
  const open = (['status', 'certificate'] as const).map((subject) => {
    return {
      monitorId: id,
      subject,
      resolvedAt,
      resolution: 'deleted' as const,
      message: 'The monitor was deleted.',
    };
  });
  await notifyPause(tx, id, 'deleted');
  await resolveIncidents(tx, open);
  await tx.monitor.deleteMany({ where: { id, teamId } });
  await unlinkMonitor(tx, id, UNLINKED_AT_ONCE);
  await notifySchedule(tx);
  await notify(tx, { team: teamId, kind: 'monitor', ids: [id] });
}
