import type { EventData, NotifiableEvent } from '../messages/event';
import type { AlertKind } from './rules';

const subjects: Record<string, AlertKind> = { downtime: 'down', degraded: 'degraded', certificate: 'certificate' };

/**
 * Returns the alert kind of an event, and the kind that its incident had when it was opened. A channel that mutes one of them does not get the event.
 */
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
