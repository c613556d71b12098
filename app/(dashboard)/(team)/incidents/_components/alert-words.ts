import { stateWords } from '@/app/_components/status/states';
import type { IncidentDetail } from '@/server/incidents/schema';
import { ALERT_EVENTS } from '@/server/incidents/values';

type Alerted = Pick<IncidentDetail, 'messages'>;

const alertsOf = ({ messages }: Alerted) => messages.filter(({ event }) => ALERT_EVENTS.has(event));

/** The toast after an acknowledgement, by the notifications that it caused. */
export function acknowledgedWords({ messages }: Alerted): string {
  const count = messages.filter(({ event }) => event === 'incident.acknowledged').length;
  if (count === 0) return 'Acknowledged. No channels are notified of this incident.';
  return `Acknowledged. ${count === 1 ? '1 notification is' : `${count} notifications are`} queued.`;
}

/** What happens when an incident is resolved manually. Mentions notifications only if some were sent before. */
export function resolveWords({
  messages,
  firstNotifiedAt,
  monitor,
}: Pick<IncidentDetail, 'messages' | 'firstNotifiedAt' | 'monitor'>): string {
  // The latest messages of a long incident may not include its first alerts.
  const wereAlerted = firstNotifiedAt !== null || alertsOf({ messages }).length > 0;
  if (monitor?.status === 'down') {
    const again = wereAlerted ? ' and alerts are sent again' : '';
    return `The monitor is still down. If the next check fails, a new incident opens${again}.`;
  }
  const state = monitor ? `The monitor is ${stateWords[monitor.status].toLowerCase()}.` : null;
  const alert = wereAlerted ? 'The channels that were alerted are notified.' : null;
  return [state, alert].filter((part) => part !== null).join(' ') || 'No channels are notified.';
}

/** Why an incident has no time to notify yet. */
export function notNotifiedReason(detail: Alerted, hasParent = false): string {
  const alerts = alertsOf(detail);
  if (alerts.length === 0) return hasParent ? 'caused by a parent incident' : 'no channels';
  const waiting = alerts.filter(({ status }) => status === 'pending');
  if (waiting.length === 0) return 'delivery failed';
  return waiting.every(({ hold }) => hold !== null) ? 'held in quiet hours' : 'retrying';
}
