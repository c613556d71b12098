import type { EventData, NotifiableEvent } from '../messages/event';
import type { AlertKind } from './rules';

const subjects: Record<string, AlertKind> = { downtime: 'down', degraded: 'degraded', certificate: 'certificate' };

/** The alert kind of an event, and that of its incident's opening. */
export function kindsOf(event: NotifiableEvent['event'], { incident }: EventData): [AlertKind, AlertKind] {
  const about = subjects[incident?.type ?? ''] ?? 'manual';
  switch (event) {
    case 'incident.opened':
    case 'incident.reopened':
    case 'incident.reminder':
    case 'incident.escalated':
    case 'monitor.certificate_expiring':
      return [about, about];
    case 'incident.acknowledged':
      return ['acknowledged', about];
    case 'incident.resolved':
      return ['recovered', about];
    case 'maintenance.upcoming':
    case 'maintenance.started':
    case 'maintenance.ended':
    case 'maintenance.cancelled':
      return ['maintenance', 'maintenance'];
    default:
      return event satisfies never;
  }
}
