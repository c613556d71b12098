'use client';

import { useQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { Section } from '@/app/_components/page';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { Incident, VerdictEvidence } from '@/server/incidents/schema';
import { Attempts } from './attempts';
import { Changes } from './changes';

interface EvidenceSectionsProps {
  incident: Incident;
  /** The type of its first monitor. */
  monitorType: string | undefined;
  /** The evidence as the server read it. */
  initial: VerdictEvidence[] | undefined;
}

/** The sections with the changes since the last good check, and the checks that opened and resolved an incident. */
export function EvidenceSections({ incident, monitorType, initial }: EvidenceSectionsProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.incidents.evidence.queryOptions(
      { id: incident.id },
      { ...(initial && { initialData: { evidence: initial } }) },
    ),
  );
  const monitor = useQuery(
    trpc.monitors.get.queryOptions(
      { id: incident.monitorId ?? '' },
      { enabled: incident.monitorId !== null && monitorType === 'http', retry: false },
    ),
  ).data?.monitor;
  const url = typeof monitor?.config.url === 'string' ? monitor.config.url : null;
  const evidence = query.data?.evidence;
  const opened = evidence?.find(({ kind }) => kind === 'opened');
  return (
    <>
      {opened?.lastGood ? <Changes evidence={opened} /> : null}
      <Section
        title="Evidence"
        note={evidence && evidence.length > 0 ? 'Checks that opened or resolved the incident' : undefined}
      >
        {evidence ? (
          <Verdicts evidence={evidence} url={url} />
        ) : query.isPending ? (
          <RowsLoading rows={2} label="Loading evidence" />
        ) : (
          <FailedQuery query={query} title="Could not load evidence">
            Monitoring is not affected.
          </FailedQuery>
        )}
      </Section>
    </>
  );
}

const titles: Record<VerdictEvidence['kind'], string> = { opened: 'Opened by', resolved: 'Resolved by' };

function Verdicts({ evidence, url }: { evidence: VerdictEvidence[]; url: string | null }) {
  if (evidence.length === 0) {
    return (
      <Empty title="No evidence">
        The checks that open and resolve an incident appear here. This incident has none: it was opened and resolved
        manually, or its checks were not recorded.
      </Empty>
    );
  }
  return (
    <div className="grid gap-4">
      {evidence.map((verdict) => (
        <div key={verdict.kind}>
          <h3 className="mb-1.5 text-small font-medium text-muted">
            {titles[verdict.kind]} {verdict.attempts.length === 1 ? 'one check' : `${verdict.attempts.length} checks`}
          </h3>
          <Attempts attempts={verdict.attempts} showsFirst={verdict.kind === 'opened'} url={url} />
        </div>
      ))}
    </div>
  );
}
