import { useState } from 'react';
import { channelIcon, eventName, isChannelType, kindBefore } from '@/app/_components/channels';
import { DeliveryState } from '@/app/_components/delivery-state';
import { formatCount } from '@/app/_components/format';
import { Section } from '@/app/_components/page';
import { StateLabel } from '@/app/_components/status/state-label';
import { Until } from '@/app/_components/time/duration';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import type { IncidentDetail } from '@/server/incidents/schema';
import { MOST_OLDER_MESSAGES } from '@/server/incidents/values';

function unsentReason({ monitorId, parentIncidentId }: IncidentDetail['incident']): string {
  if (parentIncidentId) return 'a monitor that this one depends on was down';
  return monitorId ? 'no channel is set up for this incident' : 'the team had no channels';
}

type Message = IncidentDetail['messages'][number];

/** More are folded, except those that were not delivered. */
const MOST_UNFOLDED = 3;

/** "12 delivered, 2 retrying, 1 failed" */
export function countsOf(messages: Pick<Message, 'status' | 'attempts'>[]): string {
  const count = (is: (message: (typeof messages)[number]) => boolean) => messages.filter(is).length;
  const counts = [
    [count(({ status }) => status === 'delivered'), 'delivered'],
    [count(({ status, attempts }) => status === 'pending' && attempts > 0), 'retrying'],
    [count(({ status, attempts }) => status === 'pending' && attempts === 0), 'waiting'],
    [count(({ status }) => status === 'failed'), 'failed'],
  ] as const;
  return counts.flatMap(([number, word]) => (number > 0 ? [`${formatCount(number)} ${word}`] : [])).join(', ');
}

/** The notifications sent for an incident, each with its delivery status. Of many, the delivered ones are folded. */
export function Messages({ detail }: { detail: IncidentDetail }) {
  const { messages, incident, olderMessageCount } = detail;
  const [isOpen, setOpen] = useState(false);
  const isFolded = messages.length > MOST_UNFOLDED && !isOpen;
  const shown = isFolded ? messages.filter(({ status }) => status !== 'delivered') : messages;
  return (
    <Section
      title="Notifications"
      note={messages.length > 0 ? countsOf(messages) : null}
      actions={
        messages.length > MOST_UNFOLDED ? (
          <Button variant="ghost" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show all'}
          </Button>
        ) : null
      }
    >
      {messages.length === 0 ? (
        <p className="text-muted">No notifications sent: {unsentReason(incident)}.</p>
      ) : shown.length > 0 ? (
        <ul className="overflow-hidden rounded-3 border">
          {shown.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      ) : null}
      {olderMessageCount > 0 ? (
        <p className="mt-2 text-small text-muted">
          Only the latest {formatCount(messages.length)} notifications are shown, not the{' '}
          {olderMessageCount === 1
            ? 'older one'
            : `${formatCount(olderMessageCount)}${olderMessageCount === MOST_OLDER_MESSAGES ? '+' : ''} older ones`}
          .
        </p>
      ) : null}
    </Section>
  );
}

function MessageRow({ message }: { message: Message }) {
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
function ChannelState({ channelState, channelPausedUntil: until }: Message) {
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
