import { lockMaintenanceWindow } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditWindow } from './audit-window';
import { readWindow, windowNotFound } from './queries';

/** Deletes a maintenance window. @throws AppError NOT_FOUND */
export async function deleteWindow({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    if (!(await lockMaintenanceWindow(tx, team.id, id))) throw windowNotFound();
    await auditWindow(tx, ctx, 'maintenance_window.delete', await readWindow(tx, team.id, id), null);
    await tx.maintenanceWindow.deleteMany({ where: { id, teamId: team.id } });
  });
  return { ok: true };
}
