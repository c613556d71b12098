import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { invalidField } from '@/server/platform/errors';
import { lockMaintenanceWindow } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditWindow } from './audit-window';
import { readWindow, windowNotFound } from './queries';
import { type MaintenanceWindow, type UpdateMaintenanceWindowInput, whyNotBetween } from './schema';
import { setMonitors } from './set-monitors';

/**
 * Updates a maintenance window; an input without changes has no effect. @throws AppError NOT_FOUND, EDIT_CONFLICT,
 * VALIDATION_ERROR (times that do not fit the stored ones, or a monitor of another team)
 */
export async function updateWindow({
  ctx,
  input,
}: {
  ctx: TeamContext;
  input: UpdateMaintenanceWindowInput;
}): Promise<MaintenanceWindow> {
  const { team } = ctx;
  const { id, title, ifUpdatedAt } = input;
  const description = input.description === undefined ? undefined : input.description || null;
  const monitorIds = input.monitorIds && [...new Set(input.monitorIds)].sort();
  return ctx.db.$transaction(async (tx) => {
    // Locked, because the new start is validated against the stored end and vice versa.
    if (!(await lockMaintenanceWindow(tx, team.id, id))) throw windowNotFound();
    const before = await readWindow(tx, team.id, id);
    const updatedAt = new Date(before.updatedAt);
    await assertUnchanged(tx, { teamId: team.id, type: 'maintenance_window', id, updatedAt }, ifUpdatedAt);
    const startsAt = new Date(input.startsAt ?? before.startsAt);
    const endsAt = new Date(input.endsAt ?? before.endsAt);
    const wrong = whyNotBetween(startsAt, endsAt);
    if (wrong !== null) throw invalidField(input.endsAt === undefined ? 'startsAt' : 'endsAt', wrong);
    const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
    if (changesNothing(before, { title, description, monitorIds, ...times })) return before;
    await tx.maintenanceWindow.update({
      where: { id },
      data: {
        startsAt,
        endsAt,
        updatedAt: nextVersion(updatedAt),
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
      },
    });
    if (monitorIds !== undefined) await setMonitors(tx, team.id, id, monitorIds);
    const after = await readWindow(tx, team.id, id);
    await auditWindow(tx, ctx, 'maintenance_window.update', before, after);
    return after;
  });
}
