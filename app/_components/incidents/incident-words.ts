import type { State } from '@/app/_components/states';
import type { Incident, IncidentDetail } from '@/server/incidents/schema';

/** The glyph of an incident: open and acknowledged have down's, resolved has up's. */
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
  degraded: 'Slow answers',
  certificate: 'Certificate',
  manual: 'Opened by hand',
};

/** How the titles end that incidents get when they open, and how they end when it is over. */
const endings: Partial<Record<Incident['type'], [is: RegExp, was: string]>> = {
  downtime: [/ is down$/, ' was down'],
  degraded: [/ is slow$/, ' was slow'],
  certificate: [/ expires$/, ' was about to expire'],
};

/** What an incident is called: by its title, which says of one that is resolved what was, else by what happened to which monitor. */
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
      return `${name} ${was} slow`;
    case 'certificate':
      return `The certificate of ${name}`;
    case 'manual':
      return monitorName ? `Incident of ${name}` : 'Incident';
    default:
      return type satisfies never;
  }
}

/** How long an incident took, in seconds; null while it is not resolved. */
export function incidentSeconds({ startedAt, resolvedAt }: Incident): number | null {
  return resolvedAt === null ? null : (Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000;
}

/** The title of an incident's document: how it stands, and what it is called. */
export function incidentDocumentTitle(detail: IncidentDetail | undefined): string {
  if (!detail) return 'Incident · Upwatch';
  const { incident, monitor } = detail;
  return `${incidentWords[incident.status]} · ${incidentTitle(incident, monitor?.name ?? null)} · Upwatch`;
}
