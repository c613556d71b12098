import { stateWords } from '@/app/_components/status/states';
import type { IncidentDetail } from '@/server/incidents/schema';

type Alerted = Pick<IncidentDetail, 'messages'>;

/** The toast after an acknowledgement, by the notifications that it caused. */
export function acknowledgedWords({ messages }: Alerted): string {
  const count = messages.filter(({ event }) => event === 'incident.acknowledged').length;
  if (count === 0) return 'Acknowledged. No channels are notified of this incident.';
  return `Acknowledged. ${count === 1 ? '1 notification is' : `${count} notifications are`} queued.`;
}

/** What happens when an incident is resolved manually. Mentions notifications only if some were sent before. */
export function resolveWords({ messages, monitor }: Pick<IncidentDetail, 'messages' | 'monitor'>): string {
  const wereAlerted = messages.some(({ event }) => event === 'incident.opened');
  if (monitor?.status === 'down') {
    const again = wereAlerted ? ' and alerts are sent again' : '';
    return `The monitor is still down. If the next check fails, a new incident opens${again}.`;
  }
  const state = monitor ? `The monitor is ${stateWords[monitor.status].toLowerCase()}.` : null;
  const alert = wereAlerted ? 'The channels that were alerted are notified.' : null;
  return [state, alert].filter((part) => part !== null).join(' ') || 'No channels are notified.';
}

/** Why an incident has no time to notify yet. */
export function notNotifiedReason({ messages }: Alerted, isBelow = false): string {
  const opened = messages.filter(
    ({ event }) => event === 'incident.opened' || event === 'monitor.certificate_expiring',
  );
  if (opened.length === 0) return isBelow ? 'below another incident' : 'no channels';
  return opened.some(({ status }) => status === 'pending') ? 'retrying' : 'delivery failed';
}
