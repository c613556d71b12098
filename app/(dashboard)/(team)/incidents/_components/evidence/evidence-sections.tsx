'use client';

import { useQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { Section } from '@/app/_components/page';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictEvidence } from '@/server/incidents/schema';
import { Attempts } from './attempts';
import { Changes } from './changes';

/** The sections with the changes since the last good check, and the checks that opened and resolved an incident. */
export function EvidenceSections({ incidentId }: { incidentId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.incidents.evidence.queryOptions({ id: incidentId }));
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
          <Verdicts evidence={evidence} />
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

function Verdicts({ evidence }: { evidence: VerdictEvidence[] }) {
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
          <Attempts attempts={verdict.attempts} />
        </div>
      ))}
    </div>
  );
}
