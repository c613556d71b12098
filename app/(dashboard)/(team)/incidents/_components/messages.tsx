import { channelIcon, eventName, isChannelType, kindBefore } from '@/app/_components/channels';
import { DeliveryState } from '@/app/_components/delivery-state';
import { formatCount } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { StateLabel } from '@/app/_components/status/state-label';
import { Until } from '@/app/_components/time/duration';
import { Timestamp } from '@/app/_components/time/time';
import { Icon } from '@/app/_components/ui/icon';
import type { IncidentDetail } from '@/server/incidents/schema';

function unsentReason({ monitorId, parentIncidentId }: IncidentDetail['incident']): string {
  if (parentIncidentId) return 'a monitor that this one depends on was down';
  return monitorId ? 'no channel is set up for this incident' : 'the team had no channels';
}

/** The notifications sent for an incident, each with its delivery status. */
export function Messages({ detail }: { detail: IncidentDetail }) {
  const { messages, incident, olderMessageCount } = detail;
  return (
    <Section title="Notifications">
      {messages.length === 0 ? (
        <p className="text-muted">No notifications sent: {unsentReason(incident)}.</p>
      ) : (
        <ul className="overflow-hidden rounded-3 border">
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      )}
      {olderMessageCount > 0 ? (
        <p className="mt-2 text-small text-muted">
          Only the latest {formatCount(messages.length)} notifications are shown, not the{' '}
          {olderMessageCount === 1 ? 'older one' : `${formatCount(olderMessageCount)} older ones`}.
        </p>
      ) : null}
    </Section>
  );
}

function MessageRow({ message }: { message: IncidentDetail['messages'][number] }) {
  const { event, status, hold, channelName, channelType, lastAttemptAt, lastError, nextAttemptAt } = message;
  const type = isChannelType(channelType) ? channelType : null;
  const kind = type && kindBefore(type, channelName);
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-0.5 border-b px-3 py-2 last:border-b-0">
      <Icon name={type ? channelIcon(type) : 'channels'} className="text-muted" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {kind ? `${kind} ` : null}
        <span className="font-medium">{channelName}</span>
        <ChannelState {...message} />
      </span>
      <DeliveryState {...message} />
      <span className="col-span-2 col-start-2 text-small text-muted [overflow-wrap:anywhere]">
        {eventName(event)}
        {lastAttemptAt ? (
          <>
            , <Timestamp at={lastAttemptAt} />
          </>
        ) : null}
        .{lastError ? ` ${asSentence(lastError)}` : null}
        {status === 'pending' && !nextAttemptAt ? ' Waiting for the previous message to this channel.' : null}
        {nextAttemptAt && status === 'pending' && !message.isSending ? (
          <>
            {' '}
            {hold ? 'Quiet hours end' : 'Next attempt'} <Until at={nextAttemptAt} />.
          </>
        ) : null}
      </span>
    </li>
  );
}

/** The current problem of a channel, if any. Shown as degraded, because down is reserved for monitors. */
function ChannelState({ channelState, channelPausedUntil: until }: IncidentDetail['messages'][number]) {
  if (until) {
    return (
      <span className="ml-2 text-small text-faint">
        Paused by its receiver until <Timestamp at={until} />
      </span>
    );
  }
  if (channelState !== 'failing') return null;
  return <StateLabel state="degraded" word="Channel failing" className="ml-2 text-small" />;
}

/** Ends a text with a full stop. */
function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
