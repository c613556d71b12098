import type { Metadata } from 'next';
import { cache } from 'react';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { incidentState, incidentWords } from '@/app/_components/incidents/incident-words';
import { Markdown } from '@/app/_components/markdown';
import { DetailList, Section } from '@/app/_components/page';
import { StateLabel } from '@/app/_components/status/state-label';
import { Timestamp } from '@/app/_components/time/time';
import { linked } from '@/app/_trpc/linked';

interface Props {
  params: Promise<{ token: string }>;
}

export const metadata: Metadata = {
  title: 'Incident',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
};

const load = cache((token: string) => linked(async (caller) => (await caller.incidents.shared({ token })).incident));

/** An incident, for anyone with its link. */
export default async function SharedIncidentPage({ params }: Props) {
  const incident = await load(decodeURIComponent((await params).token));
  return (
    <CenteredLayout>
      <CenteredTitle>{incident.title}</CenteredTitle>
      <DetailList
        className="border-y text-body"
        facts={[
          ['Status', <StateLabel key="status" state={incidentState(incident)} word={incidentWords[incident.status]} />],
          ['Started', <Timestamp key="started" at={incident.startedAt} full />],
          ['Resolved', incident.resolvedAt ? <Timestamp key="resolved" at={incident.resolvedAt} full /> : null],
        ]}
      />
      <Section title="Updates">
        <ol className="grid gap-4">
          {incident.updates.map(({ kind, message, at }) => (
            <li key={`${kind} ${at}`} className="grid gap-0.5">
              <span className="text-small text-faint">
                <Timestamp at={at} full />
              </span>
              <p className="text-body whitespace-pre-line [overflow-wrap:anywhere]">{message}</p>
            </li>
          ))}
        </ol>
      </Section>
      {incident.postmortem ? (
        <Section title="Postmortem">
          <Markdown text={incident.postmortem} html={incident.postmortemHtml} />
        </Section>
      ) : null}
    </CenteredLayout>
  );
}
