import type { IncidentSeverity } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { attachToParents } from './dependencies/attach-to-parents';
import { enqueueNotifications } from './events';
import { type CheckedIncident, openKey } from './open-key';
import { insertIncidents, insertUpdates } from './queries';
import { type IncidentRow, incidentInclude } from './to-incident';

export interface IncidentToOpen {
  monitorId: string;
  teamId: string;
  type: CheckedIncident;
  /** The severity of the monitor's downtime incidents. */
  severity: IncidentSeverity;
  /** The monitor's name, used in the title. */
  monitorName: string;
  /** The cause as found by the check. */
  cause: string;
  startedAt: Date;
}

/** An incident that was opened or resolved by a check. */
export interface IncidentRef {
  id: string;
  monitorId: string;
  type: CheckedIncident;
}

const titles: Record<CheckedIncident, (name: string) => string> = {
  downtime: (name) => `${name} is down`,
  degraded: (name) => `${name} is degraded`,
  certificate: (name) => `The certificate of ${name} needs renewal`,
};

/** Returns the severity of an incident: as given for a downtime, otherwise by its type. */
function severityOf({ type, severity }: Pick<IncidentToOpen, 'type' | 'severity'>): IncidentSeverity {
  switch (type) {
    case 'downtime':
      return severity;
    case 'degraded':
      return 'warning';
    case 'certificate':
      return 'minor';
    default:
      return type satisfies never;
  }
}

/** Maps an incident that checks opened to its reference; empty for a manual incident, and if its monitor is deleted. */
export function toRef({ id, monitorId, type }: Pick<IncidentRow, 'id' | 'monitorId' | 'type'>): IncidentRef[] {
  return monitorId === null || type === 'manual' ? [] : [{ id, monitorId, type }];
}

/**
 * Opens incidents in the caller's transaction, each with its first update, attaches them to the downtimes of dependencies, and enqueues notifications
 * of the others. Skips monitors that already have an unresolved incident about the same subject.
 * @returns the incidents that were opened
 */
export async function openIncidents(tx: Tx, items: IncidentToOpen[]): Promise<IncidentRef[]> {
  if (items.length === 0) return [];
  const ids = await insertIncidents(
    tx,
    items.map(({ monitorId, teamId, type, monitorName, severity, cause, startedAt }) => ({
      id: newId(),
      teamId,
      monitorId,
      type,
      cause,
      startedAt,
      severity: severityOf({ type, severity }),
      openKey: openKey(monitorId, type === 'certificate' ? type : 'status'),
      title: titles[type](monitorName),
    })),
  );
  if (ids.length === 0) return [];
  const rows = await tx.incident.findMany({
    where: { id: { in: ids } },
    include: incidentInclude,
    orderBy: { id: 'asc' },
  });
  const opened = await attachToParents(tx, rows);
  await insertUpdates(
    tx,
    opened.map(({ id, cause, startedAt }) => {
      return { incidentId: id, kind: 'opened', message: cause ?? '', at: startedAt };
    }),
  );
  const isCertificate = ({ type }: { type: string }) => type === 'certificate';
  await enqueueNotifications(
    tx,
    'incident.opened',
    opened.filter((incident) => !isCertificate(incident)),
  );
  await enqueueNotifications(tx, 'monitor.certificate_expiring', opened.filter(isCertificate));
  return opened.flatMap(toRef);
}
