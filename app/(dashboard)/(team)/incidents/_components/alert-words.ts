import { stateWords } from '@/app/_components/states';
import type { IncidentDetail } from '@/server/incidents/schema';

type Alerted = Pick<IncidentDetail, 'messages'>;

/** What an incident that was just acknowledged says, by the messages that this caused. */
export function acknowledgedWords({ messages }: Alerted): string {
  const count = messages.filter(({ event }) => event === 'incident.acknowledged').length;
  if (count === 0) return 'Acknowledged. No channel is alerted of this incident.';
  return `Acknowledged. ${count === 1 ? '1 channel is' : `${count} channels are`} told that you are on it.`;
}

/** What resolving an incident by hand leads to. It promises messages only where there were any before. */
export function resolveWords({ messages, monitor }: Pick<IncidentDetail, 'messages' | 'monitor'>): string {
  const wereAlerted = messages.some(({ event }) => event === 'incident.opened');
  if (monitor?.status === 'down') {
    const again = wereAlerted ? ' and alerts go out again' : '';
    return `The monitor is still down. If the next check fails, a new incident opens${again}.`;
  }
  const state = monitor ? `The monitor is ${stateWords[monitor.status].toLowerCase()}.` : null;
  const alert = wereAlerted ? 'The channels that were alerted are told that it is over.' : null;
  return [state, alert].filter((part) => part !== null).join(' ');
}

/** Why nobody was alerted of an incident before a first message got through. */
export function notToldWords({ messages }: Alerted): string {
  const opened = messages.filter(
    ({ event }) => event === 'incident.opened' || event === 'monitor.certificate_expiring',
  );
  if (opened.length === 0) return 'no channel to alert';
  return opened.some(({ status }) => status === 'pending') ? 'still trying' : 'no message got through';
}
