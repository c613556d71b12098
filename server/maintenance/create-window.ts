import { newId } from '@/server/platform/ids';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditWindow } from './audit-window';
import { readWindow } from './queries';
import type { CreateMaintenanceWindowInput, MaintenanceWindow } from './schema';
import { setMonitors } from './set-monitors';

/** Creates a maintenance window. @throws AppError VALIDATION_ERROR (a monitor of another team) */
export async function createWindow({
  ctx,
  input,
}: {
  ctx: TeamContext;
  input: CreateMaintenanceWindowInput;
}): Promise<MaintenanceWindow> {
  const { team } = ctx;
  const { title, description, startsAt, endsAt, monitorIds } = input;
  return ctx.db.$transaction(async (tx) => {
    const id = newId();
    await tx.maintenanceWindow.create({
      data: {
        id,
        teamId: team.id,
        title,
        description: description || null,
        startsAt: new Date(startsAt),
        endsAt: new Date(endsAt),
      },
    });
    await setMonitors(tx, team.id, id, monitorIds ?? null);
    const window = await readWindow(tx, team.id, id);
    await auditWindow(tx, ctx, 'maintenance_window.create', null, window);
    return window;
  });
}
