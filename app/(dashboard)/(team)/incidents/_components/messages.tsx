import { channelIcons, eventName, isChannelType, kindBefore } from '@/app/_components/channels';
import { DeliveryState } from '@/app/_components/delivery-state';
import { Icon } from '@/app/_components/ui/icon';
import { Section } from '@/app/_components/ui/page';
import { Stamp } from '@/app/_components/ui/since';
import { Until } from '@/app/_components/ui/spell';
import type { IncidentDetail } from '@/server/incidents/schema';

/** Who was told of an incident, and how that went. */
export function Messages({ messages, hasMonitor }: { messages: IncidentDetail['messages']; hasMonitor: boolean }) {
  return (
    <Section title="Messages sent">
      {messages.length === 0 ? (
        <p className="text-muted">
          No messages: {hasMonitor ? 'no channel was chosen for this monitor' : 'the team had no channels'}.
        </p>
      ) : (
        <ul className="overflow-hidden rounded-3 border">
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function MessageRow({ message }: { message: IncidentDetail['messages'][number] }) {
  const { event, status, channelName, channelType, attempts, lastAttemptAt, lastError, nextAttemptAt } = message;
  const type = isChannelType(channelType) ? channelType : null;
  const kind = type && kindBefore(type, channelName);
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-0.5 border-b px-3 py-2 last:border-b-0">
      <Icon name={type ? channelIcons[type] : 'channels'} className="text-muted" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {kind ? `${kind} ` : null}
        <span className="font-medium">{channelName}</span>
      </span>
      <DeliveryState status={status} attempts={attempts} />
      <span className="col-span-2 col-start-2 text-small text-muted [overflow-wrap:anywhere]">
        {eventName(event)}
        {lastAttemptAt ? (
          <>
            , <Stamp at={lastAttemptAt} />
          </>
        ) : null}
        .{lastError ? ` ${asSentence(lastError)}` : null}
        {status === 'pending' && !nextAttemptAt ? ' It goes out after the earlier message.' : null}
        {nextAttemptAt && status === 'pending' ? (
          <>
            {' '}
            Next try <Until at={nextAttemptAt} />.
          </>
        ) : null}
      </span>
    </li>
  );
}

/** What a channel answered, ended as a sentence where it is not. */
function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
