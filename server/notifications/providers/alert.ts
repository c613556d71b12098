import type { IncidentSeverity } from '@/server/monitor-types/schema';
import type { Message } from '../messages/message';

/** An event in the terms of a service that manages alerts itself. `note` is for events that are not about an incident, such as maintenance. */
export interface Alert {
  action: 'trigger' | 'acknowledge' | 'resolve' | 'note';
  /** The same for all events of an incident. */
  key: string;
  severity: IncidentSeverity;
  /** The monitor, or the other subject of the event. */
  source: string;
}

function actionOf({ payload: { type }, endsTest }: Message): Alert['action'] {
  if (endsTest) return 'resolve';
  switch (type) {
    case 'incident.acknowledged':
      return 'acknowledge';
    case 'incident.resolved':
      return 'resolve';
    case 'channel.failing':
    case 'channel.recovered':
    case 'maintenance.upcoming':
    case 'maintenance.started':
    case 'maintenance.ended':
    case 'maintenance.cancelled':
      return 'note';
    default:
      return 'trigger';
  }
}

/** Maps a message to an alert. A test is a separate alert of low severity. */
export function alertOf(message: Message): Alert {
  const { id, payload } = message;
  const { incident, monitor } = payload.data;
  return {
    action: actionOf(message),
    key: incident?.id ?? id,
    severity: incident ? (incident.severity ?? 'critical') : 'minor',
    source: monitor?.name ?? 'Upwatch',
  };
}
