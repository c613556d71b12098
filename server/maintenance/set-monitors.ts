import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { holdMonitors } from '@/server/platform/locks';

/**
 * Sets the monitors of a window; null covers all monitors of the team, including future ones. @throws AppError
 * VALIDATION_ERROR for an ID that is no monitor of the team
 */
export async function setMonitors(tx: Tx, teamId: string, windowId: string, ids: string[] | null): Promise<void> {
  await tx.maintenanceWindowMonitor.deleteMany({ where: { maintenanceWindowId: windowId } });
  await tx.maintenanceWindow.update({ where: { id: windowId }, data: { allMonitors: ids === null } });
  if (ids === null) return;
  const wanted = [...new Set(ids)];
  // Locked, so that a concurrently deleted monitor is rejected here instead of violating a foreign key.
  const found = await holdMonitors(tx, teamId, wanted);
  if (found.size < wanted.length)
    throw invalidField('monitorIds', 'One of these monitors does not exist in this team.');
  await tx.maintenanceWindowMonitor.createMany({
    data: wanted.map((monitorId) => ({ maintenanceWindowId: windowId, monitorId })),
  });
}
