import { databaseNow } from '@/server/platform/database-now';
import { lockMaintenanceWindow, lockTeam } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { announceDeletion } from './announce-window';
import { applyWindow, planMissed } from './apply-window';
import { auditWindow } from './audit-window';
import { readWindow, windowNotFound } from './queries';
import { lockScope } from './set-monitors';

/**
 * Deletes a maintenance window. If it is running, it ends now; past maintenance stays in the history.
 * @throws AppError NOT_FOUND
 */
export async function deleteWindow({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    if (!(await lockMaintenanceWindow(tx, team.id, id))) throw windowNotFound();
    const now = await databaseNow(tx);
    const present = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    await lockScope(tx, team.id, null, present, now);
    await auditWindow(tx, ctx, 'maintenance_window.delete', await readWindow(tx, team.id, id), null);
    await planMissed(tx, present, now);
    await announceDeletion(tx, present, now);
    await tx.maintenanceWindow.delete({ where: { id, teamId: team.id } });
    await applyWindow(tx, present, null, now);
  });
  return { ok: true };
}
