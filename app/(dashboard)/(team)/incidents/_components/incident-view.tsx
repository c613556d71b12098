'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatLongDuration } from '@/app/_components/format';
import {
  incidentDocumentTitle,
  incidentSeconds,
  incidentState,
  incidentTitle,
  incidentTypeWords,
  severityWords,
} from '@/app/_components/incidents/incident-words';
import { DetailList, linkClass, Section } from '@/app/_components/page';
import { StateLabel } from '@/app/_components/status/state-label';
import { StatusIcon } from '@/app/_components/status/status-icon';
import { Duration } from '@/app/_components/time/duration';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Tabs, useTab } from '@/app/_components/ui/tabs';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import type { IncidentDetail, VerdictEvidence } from '@/server/incidents/schema';
import { acknowledgementOf, tookWords } from './acknowledgement';
import { DependentIncidents } from './dependent-incidents';
import { EscalationLine } from './escalation-line';
import { EvidenceSections } from './evidence/evidence-sections';
import { IncidentActions, ReopenAction } from './incident-actions';
import { IncidentTimeline } from './incident-timeline';
import { IncidentTimes } from './incident-times';
import { Messages } from './messages';
import { NoteComposer } from './note-composer';
import { PostmortemTab } from './postmortem';
import { ShareSection } from './share-section';

// Loaded when it is opened for the first time.
const EditIncidentDialog = lazyPart(() => import('./edit-incident-dialog').then((module) => module.EditIncidentDialog));

export interface IncidentViewProps {
  id: string;
  initial: IncidentDetail | undefined;
  /** The evidence, if the server read it and it is not large. */
  evidence: VerdictEvidence[] | undefined;
  canWrite: boolean;
}

export function IncidentView({ id, initial, evidence, canWrite }: IncidentViewProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.incidents.detail.queryOptions({ id }, { ...(initial && { initialData: initial }) }));
  const [editing, setEditing] = useState<boolean | null>(null);
  const tab = useTab(['overview', 'postmortem']);
  const detail = query.data;
  const title = detail ? incidentTitle(detail.incident, detail.monitor?.name ?? null) : 'Incident';
  useTitle(incidentDocumentTitle(detail));
  if (!detail) {
    if (query.isPending) return <RowsLoading label="Loading incident" />;
    return (
      <FailedQuery query={query} title="Could not load incident">
        Monitoring is not affected.
      </FailedQuery>
    );
  }
  const { incident } = detail;
  const isResolved = incident.status === 'resolved';
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <StatusIcon state={incidentState(incident)} />
        <div data-state={incidentState(incident)} className="grid min-w-0 flex-[1_1_260px] gap-0.5">
          <h1>{title}</h1>
          <StatusLine detail={detail} />
        </div>
        {canWrite && isResolved ? <ReopenAction incidentId={incident.id} /> : null}
        {canWrite && !isResolved ? <IncidentActions detail={detail} /> : null}
      </div>
      <Tabs
        label="Incident"
        className="mt-4"
        tabs={[
          { value: 'overview', label: 'Overview' },
          { value: 'postmortem', label: <PostmortemLabel detail={detail} /> },
        ]}
      />
      {tab === 'postmortem' ? (
        <div className="mt-5">
          <PostmortemTab incidentId={incident.id} canWrite={canWrite} />
        </div>
      ) : (
        <Overview detail={detail} evidence={evidence} canWrite={canWrite} onEdit={() => setEditing(true)} />
      )}
      {canWrite && editing !== null ? (
        <EditIncidentDialog incident={incident} title={title} open={editing} onOpenChange={setEditing} />
      ) : null}
    </>
  );
}

function PostmortemLabel({ detail: { postmortem } }: { detail: IncidentDetail }) {
  return (
    <>
      Postmortem
      {postmortem ? <span className="text-small font-normal text-faint">{postmortem}</span> : null}
    </>
  );
}

interface OverviewProps extends Pick<IncidentViewProps, 'evidence' | 'canWrite'> {
  detail: IncidentDetail;
  onEdit: () => void;
}

/** What changed and what was seen, the timeline, and beside them the details of the incident. */
function Overview({ detail, evidence, canWrite, onEdit }: OverviewProps) {
  const { incident } = detail;
  const seconds = incidentSeconds(incident);
  const taken = acknowledgementOf(detail);
  const affected = detail.monitors.length + incident.components.length;
  return (
    <>
      <IncidentTimes detail={detail} />
      <div className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,1fr)_296px] 2xl:grid-cols-[minmax(0,1fr)_360px] 2xl:gap-12">
        <div className="min-w-0">
          {incident.type === 'manual' ? null : (
            <EvidenceSections incident={incident} monitorType={detail.monitor?.type} initial={evidence} />
          )}
          <Section title="Timeline">
            {canWrite ? <NoteComposer incident={incident} /> : null}
            <IncidentTimeline incident={incident} updates={detail.updates} canWrite={canWrite} />
          </Section>
          <Messages detail={detail} />
        </div>
        <aside aria-label="Details">
          {affected > 0 ? (
            <Section title="Affects" note={affected > 1 ? affected : null}>
              <ul>
                {detail.monitors.map((each) => (
                  <li key={each.id} className="flex items-center justify-between gap-4 py-[7px]">
                    <Link href={`/monitors/${each.id}`} className={`${linkClass} min-w-0 [overflow-wrap:anywhere]`}>
                      {each.name}
                    </Link>
                    <StateLabel state={each.status} />
                  </li>
                ))}
                {incident.components.map(({ id, name, statusPageId, statusPageTitle }) => (
                  <li key={id} className="grid py-[7px] [overflow-wrap:anywhere]">
                    <Link href={`/status-pages/${statusPageId}`} className={linkClass}>
                      {name}
                    </Link>
                    <span className="text-small text-faint">Component of {statusPageTitle}</span>
                  </li>
                ))}
              </ul>
            </Section>
          ) : null}
          <DependentIncidents detail={detail} />
          <Section
            title="Cause"
            actions={
              canWrite ? (
                <Button variant="ghost" size="small" aria-label="Edit title and cause" onClick={onEdit}>
                  <Icon name="edit" small />
                  Edit
                </Button>
              ) : null
            }
          >
            <p className="text-muted [overflow-wrap:anywhere] whitespace-pre-line">
              <TextWithTimes>{incident.cause ?? 'No cause added yet.'}</TextWithTimes>
            </p>
          </Section>
          <Section
            title="Details"
            actions={
              canWrite ? (
                <Button variant="ghost" size="small" aria-label="Edit severity and assignee" onClick={onEdit}>
                  <Icon name="edit" small />
                  Edit
                </Button>
              ) : null
            }
          >
            <DetailList
              facts={[
                ['Severity', severityWords[incident.severity]],
                ['Assignee', detail.assigneeName ?? 'Unassigned'],
                ['Escalation', detail.escalation && <EscalationLine key="escalation" escalation={detail.escalation} />],
                ['Type', incidentTypeWords[incident.type]],
                [
                  'Caused by',
                  incident.parentIncidentId && (
                    <Link key="parent" href={`/incidents/${incident.parentIncidentId}`} className={linkClass}>
                      Parent incident
                    </Link>
                  ),
                ],
                ['Started', <Timestamp key="started" at={incident.startedAt} full />],
                ['Acknowledged by', taken?.authorName],
                ['Resolved', incident.resolvedAt ? <Timestamp key="resolved" at={incident.resolvedAt} full /> : null],
                ['Duration', seconds === null ? null : formatLongDuration(seconds)],
              ]}
            />
          </Section>
          {canWrite ? <ShareSection incidentId={incident.id} isShared={detail.isShared} /> : null}
        </aside>
      </div>
    </>
  );
}

/** The incident's status in a sentence. */
function StatusLine({ detail }: { detail: IncidentDetail }) {
  const { incident } = detail;
  const taken = acknowledgementOf(detail);
  const seconds = incidentSeconds(incident);
  return (
    <p className="text-body text-muted">
      <b className={seconds === null ? 'font-semibold text-s-fg' : 'font-semibold text-ink'}>
        {seconds === null ? (
          <>
            Open for <Duration at={incident.startedAt} />
          </>
        ) : (
          `Resolved after ${formatLongDuration(seconds)}`
        )}
      </b>
      {taken
        ? `, acknowledged${taken.authorName ? ` by ${taken.authorName}` : ''} after ${tookWords(incident, taken.at)}`
        : null}
      . Started <Timestamp at={incident.startedAt} />.
    </p>
  );
}
