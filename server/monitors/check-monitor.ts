import type { TeamContext } from '@/server/auth/contexts';
import { checkNow } from '@/server/checks/check-now';
import { invalidField } from '@/server/platform/errors';
import { unheld } from '@/server/platform/held-transaction';
import { monitorNotFound } from './queries';
import type { Check } from './schema';

/**
 * Checks a monitor at once and counts the result like any other, so it may open, confirm or resolve an incident.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (a heartbeat, which waits to be pinged)
 */
export async function checkMonitor({ ctx, input }: { ctx: TeamContext; input: { id: string } }): Promise<Check> {
  const monitor = await ctx.db.monitor.findFirst({ where: { id: input.id, teamId: ctx.team.id } });
  if (!monitor) throw monitorNotFound();
  if (monitor.type === 'heartbeat') throw invalidField('id', 'A heartbeat is not checked: it waits to be pinged.');
  // Network I/O, shared with other requests: nothing of it belongs into a transaction of this one.
  return unheld(() => checkNow(monitor));
}
