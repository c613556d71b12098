import { componentNames, inWords, type Message } from '../messages/message';
import type { Placeholder } from './placeholders';

/** Returns a field of stored data as text; empty if it is missing. */
function textOf(data: object | null, field: string): string {
  const value: unknown = data && Object.hasOwn(data, field) ? Reflect.get(data, field) : null;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the values of all placeholders for a message; those that do not apply are empty. */
export function valuesOf({ payload, headline, details, url, acknowledgeUrl }: Message): Record<Placeholder, string> {
  const { incident, monitor, maintenance, actor } = payload.data;
  const until = incident?.resolvedAt ?? payload.timestamp;
  const seconds = incident ? Math.max(0, (Date.parse(until) - Date.parse(incident.startedAt)) / 1000) : 0;
  return {
    headline,
    details: details.join('\n'),
    event: payload.type,
    timestamp: payload.timestamp,
    actor: actor ?? '',
    url,
    acknowledgeUrl: acknowledgeUrl ?? '',
    'incident.id': textOf(incident, 'id'),
    'incident.title': textOf(incident, 'title'),
    'incident.type': textOf(incident, 'type'),
    'incident.status': textOf(incident, 'status'),
    'incident.severity': textOf(incident, 'severity'),
    'incident.cause': textOf(incident, 'cause'),
    'incident.components': incident ? componentNames(incident).join(', ') : '',
    'incident.startedAt': textOf(incident, 'startedAt'),
    'incident.resolvedAt': textOf(incident, 'resolvedAt'),
    'incident.duration': incident ? inWords(seconds) : '',
    'monitor.id': textOf(monitor, 'id'),
    'monitor.name': textOf(monitor, 'name'),
    'monitor.type': textOf(monitor, 'type'),
    'monitor.status': textOf(monitor, 'status'),
    'monitor.tags': textOf(monitor, 'tags'),
    'maintenance.title': maintenance?.title ?? '',
    'maintenance.startsAt': maintenance?.startsAt ?? '',
    'maintenance.endsAt': maintenance?.endsAt ?? '',
    'maintenance.monitors': maintenance?.monitorNames.join(', ') ?? '',
  };
}
