import { checkNow } from '@/server/checks/run/check-now';
import { isPassive } from '@/server/monitor-types/definitions';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Check } from '@/server/monitor-types/schema';
import { unheld } from '@/server/platform/database/held-transaction';
import { invalidField } from '@/server/platform/errors';
import type { OnOneObject } from '@/server/trpc/contexts';

/**
 * Checks a monitor immediately and returns the result. It counts like any other, so it may open, confirm or resolve an incident.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (a monitor that waits for pings)
 */
export async function checkMonitor({ ctx, input }: OnOneObject): Promise<Check> {
  const monitor = await ctx.db.monitor.findFirst({ where: { id: input.id, teamId: ctx.team.id } });
  if (!monitor) throw monitorNotFound();
  if (isPassive(monitor.type)) throw invalidField('id', 'This monitor waits for pings and cannot be checked.');
  // Network I/O that other requests may share, so it runs outside of this request's transaction.
  return unheld(() => checkNow(monitor));
}
