import type { State } from '@/app/_components/status/states';
import type { Incident, IncidentDetail, IncidentSeverity } from '@/server/incidents/schema';
import { severities } from '@/server/monitor-lists/values';

/** The icon of an incident: down until it is resolved, then up. */
export function incidentState({ status }: Pick<Incident, 'status'>): State {
  return status === 'resolved' ? 'up' : 'down';
}

export const incidentWords: Record<Incident['status'], string> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

export const incidentTypeWords: Record<Incident['type'], string> = {
  downtime: 'Downtime',
  degraded: 'Degraded',
  certificate: 'Certificate',
  manual: 'Manual',
};

export const severityWords: Record<IncidentSeverity, string> = {
  critical: 'Critical',
  warning: 'Warning',
  minor: 'Minor',
};

export const severityOptions = severities.map((value) => ({ value, label: severityWords[value] }));

/** The endings of generated titles, and their past form for resolved incidents. */
const endings: Partial<Record<Incident['type'], [is: RegExp, was: string]>> = {
  downtime: [/ is down$/, ' was down'],
  degraded: [/ is (degraded|slow)$/, ' was degraded'],
  certificate: [/ (expires( soon)?|needs renewal)$/, ' needed renewal'],
};

/** An incident's title; generated from type and monitor if it has none. Resolved incidents have the past form. */
export function incidentTitle(
  { title, type, status }: Pick<Incident, 'title' | 'type' | 'status'>,
  monitorName: string | null,
): string {
  const ending = status === 'resolved' ? endings[type] : undefined;
  if (title) return ending ? title.replace(...ending) : title;
  const name = monitorName ?? 'A deleted monitor';
  const was = status === 'resolved' ? 'was' : 'is';
  switch (type) {
    case 'downtime':
      return `${name} ${was} down`;
    case 'degraded':
      return `${name} ${was} degraded`;
    case 'certificate':
      return `Certificate of ${name}`;
    case 'manual':
      return monitorName ? `Incident of ${name}` : 'Incident';
    default:
      return type satisfies never;
  }
}

/** The duration of an incident in seconds; null until it is resolved. */
export function incidentSeconds({ startedAt, resolvedAt }: Incident): number | null {
  return resolvedAt === null ? null : (Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000;
}

/** The document title of an incident: status and title. */
export function incidentDocumentTitle(detail: IncidentDetail | undefined): string {
  if (!detail) return 'Incident · Upwatch';
  const { incident, monitor } = detail;
  return `${incidentWords[incident.status]} · ${incidentTitle(incident, monitor?.name ?? null)} · Upwatch`;
}
