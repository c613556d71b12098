import type { Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { announce } from './events';

export interface IncidentToResolve {
  monitorId: string;
  type: 'downtime' | 'certificate';
  resolvedAt: Date;
}

/**
 * Resolves the open incidents of these monitors, where there are any, with the last line of their story and a message
 * to every channel that hears of the monitor.
 * @returns the incidents that were resolved
 */
export async function resolveIncidents(
  tx: Tx,
  items: IncidentToResolve[],
  message = 'The check succeeds again.',
): Promise<{ id: string; monitorId: string }[]> {
  if (items.length === 0) return [];
  const rows = items.map(({ monitorId, type, resolvedAt }) => Prisma.sql`(${`${monitorId}:${type}`}, ${resolvedAt})`);
  const ids = await tx.$queryRaw<{ id: string }[]>`
    update incidents set status = 'resolved', open_key = null, updated_at = now(),
      resolved_at = greatest(done.resolved_at::timestamptz, started_at)
    from (values ${Prisma.join(rows)}) as done (open_key, resolved_at)
    where incidents.open_key = done.open_key
    returning incidents.id`;
  if (ids.length === 0) return [];
  const resolved = await tx.incident.findMany({ where: { id: { in: ids.map(({ id }) => id) } } });
  await tx.incidentUpdate.createMany({
    data: resolved.map(({ id, resolvedAt }) => ({
      id: newId(),
      incidentId: id,
      kind: 'resolved' as const,
      message,
      at: resolvedAt ?? new Date(),
    })),
  });
  await announce(tx, 'incident.resolved', resolved);
  return resolved.map(({ id, monitorId }) => ({ id, monitorId: monitorId ?? '' }));
}
