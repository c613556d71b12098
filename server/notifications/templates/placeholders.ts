/** The names that a template can contain between `{{` and `}}`, with descriptions. A closed list: nothing is evaluated. */
export const placeholders = {
  headline: 'The status in one line, as Upwatch writes it',
  details: 'The details below the headline, as Upwatch writes them',
  event: 'The type of the event: incident.opened',
  timestamp: 'The time of the event in UTC (ISO 8601)',
  actor: 'Who acknowledged or resolved the incident',
  url: 'The incident in Upwatch',
  acknowledgeUrl: 'The page that acknowledges the incident; empty unless it is open',
  'incident.id': 'The ID of the incident',
  'incident.title': 'The title of the incident',
  'incident.type': 'downtime, degraded, certificate or manual',
  'incident.status': 'open, acknowledged or resolved',
  'incident.severity': 'critical, warning or minor',
  'incident.cause': 'What the check found',
  'incident.components': 'The components of status pages that it names, separated by commas',
  'incident.startedAt': 'The start in UTC (ISO 8601)',
  'incident.resolvedAt': 'The end in UTC (ISO 8601); empty while it is not resolved',
  'incident.duration': 'How long it has lasted: 14 min',
  'monitor.id': 'The ID of the monitor',
  'monitor.name': 'The name of the monitor',
  'monitor.type': 'The type of the monitor: http',
  'monitor.status': 'The status of the monitor: down',
  'monitor.tags': 'The tags of the monitor, separated by commas',
  'maintenance.title': 'The title of the maintenance window',
  'maintenance.startsAt': 'The start of the maintenance in UTC (ISO 8601)',
  'maintenance.endsAt': 'The end of the maintenance in UTC (ISO 8601)',
  'maintenance.monitors': 'The names of its first 20 monitors, separated by commas',
} as const;

export type Placeholder = keyof typeof placeholders;

export const placeholderNames = Object.keys(placeholders) as [Placeholder, ...Placeholder[]];

/** The values that are never shortened, with the minimum bytes of each. All others are texts. */
export const wholeValues: Partial<Record<Placeholder, number>> = {
  event: 17,
  timestamp: 24,
  url: 45,
  acknowledgeUrl: 100,
  'incident.id': 26,
  'incident.type': 6,
  'incident.status': 4,
  'incident.severity': 5,
  'incident.startedAt': 24,
  'incident.resolvedAt': 24,
  'incident.duration': 3,
  'monitor.id': 26,
  'monitor.type': 3,
  'monitor.status': 2,
  'maintenance.startsAt': 24,
  'maintenance.endsAt': 24,
};

/** The minimum bytes that a shortened text keeps. */
export const SHORTEST_TEXT = 20;

export function isPlaceholder(name: string): name is Placeholder {
  return Object.hasOwn(placeholders, name);
}
