'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { formatCount } from '@/app/_components/format';
import { incidentTitle, incidentWords } from '@/app/_components/incidents/incident-words';
import { linkClass, Section } from '@/app/_components/page';
import { useTRPC } from '@/app/_trpc/client';
import type { IncidentDetail } from '@/server/incidents/schema';

/** The incidents of monitors that depend on this incident's monitor. Renders nothing if there are none. */
export function DependentIncidents({ detail }: { detail: IncidentDetail }) {
  const trpc = useTRPC();
  const filter = { parentIncidentId: detail.incident.id };
  const given = detail.dependentIncidents;
  // Separate queries, because live events name the dependent incidents and not their parent.
  const { data: counts } = useQuery(trpc.incidents.counts.queryOptions(filter, { initialData: given.counts }));
  const { data: page } = useQuery(
    trpc.incidents.list.queryOptions(
      { ...filter, order: 'status', limit: 20 },
      { initialData: { incidents: given.incidents, nextCursor: null } },
    ),
  );
  const total = counts.open + counts.acknowledged + counts.resolved;
  if (total === 0) return null;
  return (
    <Section title="Incidents of dependent monitors" note={formatCount(total)}>
      <ul>
        {page.incidents.map((incident) => (
          <li key={incident.id} className="flex items-center justify-between gap-4 py-[7px]">
            <Link href={`/incidents/${incident.id}`} className={`${linkClass} min-w-0 [overflow-wrap:anywhere]`}>
              {incidentTitle(incident, incident.monitorName)}
            </Link>
            <span className="text-small text-muted">{incidentWords[incident.status]}</span>
          </li>
        ))}
      </ul>
      {total > page.incidents.length ? (
        <Link href={`/incidents?parent=${detail.incident.id}`} className={`${linkClass} mt-1 inline-block`}>
          Show all {formatCount(total)} incidents
        </Link>
      ) : null}
    </Section>
  );
}
