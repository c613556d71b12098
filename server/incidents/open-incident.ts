import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { announce } from './events';

export interface IncidentToOpen {
  monitorId: string;
  teamId: string;
  type: 'downtime' | 'certificate';
  /** The monitor's name, for the title. */
  monitorName: string;
  /** What the check saw, in plain words. */
  cause: string;
  startedAt: Date;
}

const titles: Record<IncidentToOpen['type'], (name: string) => string> = {
  downtime: (name) => `${name} is down`,
  certificate: (name) => `The certificate of ${name} expires`,
};

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
      title: titles[type](monitorName),
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
  const ofType = (type: IncidentToOpen['type']) => opened.filter((incident) => incident.type === type);
  await announce(tx, 'incident.opened', ofType('downtime'));
  await announce(tx, 'monitor.certificate_expiring', ofType('certificate'));
  return opened.map(({ id, monitorId }) => ({ id, monitorId: monitorId ?? '' }));
}
