import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { holdMonitors } from '@/server/platform/locks';

/**
 * Sets which monitors a window covers; null is every monitor of the team, those to come included.
 * @throws AppError VALIDATION_ERROR where an id is no monitor of the team
 */
export async function setMonitors(tx: Tx, teamId: string, windowId: string, ids: string[] | null): Promise<void> {
  await tx.maintenanceWindowMonitor.deleteMany({ where: { maintenanceWindowId: windowId } });
  await tx.maintenanceWindow.update({ where: { id: windowId }, data: { allMonitors: ids === null } });
  if (ids === null) return;
  const wanted = [...new Set(ids)];
  // Held, so that a monitor deleted meanwhile is refused here instead of breaking a foreign key.
  const found = await holdMonitors(tx, teamId, wanted);
  if (found.size < wanted.length)
    throw invalidField('monitorIds', 'One of these monitors does not exist in this team.');
  await tx.maintenanceWindowMonitor.createMany({
    data: wanted.map((monitorId) => ({ maintenanceWindowId: windowId, monitorId })),
  });
}
