import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { announce } from './events';

export interface IncidentToOpen {
  monitorId: string;
  teamId: string;
  type: 'downtime';
  /** The monitor's name, for the title. */
  monitorName: string;
  /** What the check saw, in plain words. */
  cause: string;
  startedAt: Date;
}

/**
 * Opens incidents in the caller's transaction, with the first line of their story and a message to every channel that
 * hears of the monitor. A monitor that already has an open one of the type gets no second.
 * @returns the incidents that were opened
 */
export async function openIncidents(tx: Tx, items: IncidentToOpen[]): Promise<{ id: string; monitorId: string }[]> {
  if (items.length === 0) return [];
  const opened = await tx.incident.createManyAndReturn({
    data: items.map(({ monitorId, teamId, type, monitorName, cause, startedAt }) => ({
      id: newId(),
      teamId,
      monitorId,
      type,
      status: 'open' as const,
      openKey: `${monitorId}:${type}`,
      title: `${monitorName} is down`,
      cause,
      startedAt,
    })),
    skipDuplicates: true,
  });
  await tx.incidentUpdate.createMany({
    data: opened.map(({ id, cause, startedAt }) => ({
      id: newId(),
      incidentId: id,
      kind: 'opened' as const,
      message: cause ?? '',
      at: startedAt,
    })),
  });
  await announce(tx, 'incident.opened', opened);
  return opened.map(({ id, monitorId }) => ({ id, monitorId: monitorId ?? '' }));
}
