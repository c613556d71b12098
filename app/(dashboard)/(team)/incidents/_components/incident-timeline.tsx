import { Timeline, TimelineEvent, type TimelineEventProps } from '@/app/_components/status/timeline';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import type { IconName } from '@/app/_components/ui/icon';
import { Tag } from '@/app/_components/ui/tag';
import type { Incident, IncidentUpdate } from '@/server/incidents/schema';
import { NoteActions } from './note-actions';

const nodes: Record<IncidentUpdate['kind'], TimelineEventProps['node']> = {
  opened: { state: 'down' },
  acknowledged: { icon: 'eye' satisfies IconName },
  resolved: { state: 'up' },
  note: { icon: 'note' satisfies IconName },
  changed: { icon: 'edit' satisfies IconName },
  reopened: { state: 'down' },
};

function Title({ kind, authorName, isPublic, message }: IncidentUpdate) {
  const author = authorName ? <span className="font-medium">{authorName}</span> : null;
  switch (kind) {
    case 'opened':
      return author ? <>{author} opened the incident</> : <span className="font-medium">Incident opened</span>;
    case 'acknowledged':
      return author ? <>{author} acknowledged</> : 'Acknowledged';
    case 'resolved':
      return author ? <>{author} resolved the incident</> : <span className="font-medium">Resolved</span>;
    case 'note':
      return (
        <>
          {author ? <>{author} added a note</> : <TextWithTimes>{message}</TextWithTimes>}
          {isPublic ? <Tag className="ml-2">On status pages</Tag> : null}
        </>
      );
    case 'changed':
      return message;
    case 'reopened':
      return author ? <>{author} reopened the incident</> : 'Reopened';
    default:
      return kind satisfies never;
  }
}

/** The text of an update. Renders nothing if the title already contains it. */
function Message({ kind, authorName, message }: IncidentUpdate) {
  const isByPerson = kind === 'acknowledged' || kind === 'resolved' || kind === 'reopened';
  // Updates by the product itself, for example of an escalation, are one sentence.
  const isSaid = kind === 'changed' || (kind === 'note' && authorName === null) || (authorName !== null && isByPerson);
  if (message === '' || isSaid) return null;
  return (
    <p className="whitespace-pre-line">
      <TextWithTimes>{message}</TextWithTimes>
    </p>
  );
}

interface IncidentTimelineProps {
  incident: Incident;
  updates: IncidentUpdate[];
  /** Whether the user can edit notes. */
  canWrite: boolean;
}

/** The timeline of an incident, newest first. */
export function IncidentTimeline({ incident, updates, canWrite }: IncidentTimelineProps) {
  return (
    <Timeline>
      {updates.toReversed().map((update) => (
        <TimelineEvent key={update.id} node={nodes[update.kind]} at={update.at} title={<Title {...update} />}>
          <Message {...update} />
          {canWrite && update.kind === 'note' && update.authorName !== null ? (
            <NoteActions incident={incident} note={update} />
          ) : null}
        </TimelineEvent>
      ))}
    </Timeline>
  );
}
