import { databaseNow } from '@/server/platform/database-now';
import { MINUTE_MS } from '@/server/time/schema';
import type { Call } from '@/server/trpc/contexts';
import { createWindow } from './create-window';
import type { MaintenanceWindow, StartMaintenanceInput } from './schema';

/**
 * Creates a maintenance window that starts now, by the database's clock. Status pages do not show it, because its title was not written for their
 * readers.
 * @throws AppError VALIDATION_ERROR (a monitor of another team), PLAN_LIMIT_REACHED
 */
export async function startMaintenance({
  ctx,
  input: { title = 'Maintenance', minutes, monitorIds, tags },
}: Call<StartMaintenanceInput>): Promise<MaintenanceWindow> {
  const now = await databaseNow(ctx.db);
  const times = { startsAt: now.toISOString(), endsAt: new Date(now.getTime() + minutes * MINUTE_MS).toISOString() };
  return createWindow({ ctx, input: { title, ...times, monitorIds, tags, isAnnounced: false } });
}
