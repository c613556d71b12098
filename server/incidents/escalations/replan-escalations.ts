import type { Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { enqueueMany } from '@/server/platform/jobs';
import { lockIncidents } from '@/server/platform/locks';
import { AFTER_MAINTENANCE_MS, advanceEscalation, escalationKey } from './advance-escalation';

/**
 * Advances running escalations of these incidents within a minute, so that they decide again whether they are held. Call it after the maintenance of
 * their monitors, or their monitors, changed. The caller has locked the states of these monitors, or the incidents.
 */
export async function replanEscalations(
  tx: Tx,
  teamId: string,
  incidents: Prisma.IncidentWhereInput,
  now: Date,
): Promise<void> {
  const soon = new Date(now.getTime() + AFTER_MAINTENANCE_MS);
  const late = {
    status: 'running' as const,
    nextAt: { gt: soon },
    incident: { ...incidents, teamId },
  };
  const found = await tx.escalation.findMany({ where: late, select: { incidentId: true } });
  if (found.length === 0) return;
  const ids = found.map(({ incidentId }) => incidentId);
  await lockIncidents(tx, teamId, ids);
  const waiting = await tx.escalation.updateManyAndReturn({
    where: { ...late, incidentId: { in: ids } },
    data: { nextAt: soon },
    select: { incidentId: true },
  });
  await enqueueMany(
    tx,
    advanceEscalation,
    waiting.map(({ incidentId }) => ({ payload: { incidentId }, jobKey: escalationKey(incidentId), runAt: soon })),
  );
}
