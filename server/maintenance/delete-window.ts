import type { TeamContext } from '@/server/auth/contexts';
import { auditWindow } from './audit-window';
import { readWindow, windowNotFound } from './queries';

/** Deletes a maintenance window. @throws AppError NOT_FOUND */
export async function deleteWindow({
  ctx,
  input: { id },
}: {
  ctx: TeamContext;
  input: { id: string };
}): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const held = await tx.$queryRaw<unknown[]>`
      select 1 from maintenance_windows where id = ${id} and team_id = ${team.id} for update`;
    if (held.length === 0) throw windowNotFound();
    await auditWindow(tx, ctx, 'maintenance_window.delete', await readWindow(tx, team.id, id), null);
    await tx.maintenanceWindow.deleteMany({ where: { id, teamId: team.id } });
  });
  return { ok: true };
}
