'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatDuration } from '@/app/_components/format';
import { LoadMore } from '@/app/_components/load-more';
import { Reason } from '@/app/_components/status/reason';
import { StateLabel } from '@/app/_components/status/state-label';
import { Elapsed, Timestamp } from '@/app/_components/time/time';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Cell, ColumnHead, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { uniqueById } from '@/app/_components/unique-by-id';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { IncidentListRow } from '@/server/incidents/schema';
import { incidentSeconds, incidentState, incidentTitle, incidentWords, severityWords } from './incident-words';

export interface IncidentFilter {
  status?: 'unresolved' | 'resolved';
  monitorId?: string;
  /** Only incidents that were open during this time; ISO 8601. */
  from?: string;
  to?: string;
}

export interface IncidentListProps {
  filter: IncidentFilter;
  /** The empty state. */
  empty: React.ReactNode;
  /** The first page, if the server rendered it. */
  initial?: { incidents: IncidentListRow[]; nextCursor: string | null } | undefined;
}

/** A list of incidents: unresolved first, then newest first. */
export function IncidentList({ filter, empty, initial }: IncidentListProps) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.incidents.list.infiniteQueryOptions(
      { ...filter, limit: 50 },
      {
        getNextPageParam: (page) => page.nextCursor,
        placeholderData: keepPreviousData,
        ...(initial && { initialData: firstPage(initial) }),
      },
    ),
  );
  const all = query.data?.pages.flatMap((page) => page.incidents);
  if (query.isPending) return <RowsLoading label="Loading incidents" />;
  if (!all) {
    return (
      <FailedQuery query={query} title="Could not load incidents">
        Monitoring is not affected.
      </FailedQuery>
    );
  }
  if (all.length === 0) return empty;
  const unique = uniqueById(all);
  const isOver = ({ status }: IncidentListRow) => Number(status === 'resolved');
  const rows = unique.sort((a, b) => isOver(a) - isOver(b));
  return (
    <>
      <Table
        label="Incidents"
        className="[--cols:minmax(0,1fr)_auto] lg:[--cols:150px_minmax(0,1fr)_minmax(0,0.8fr)_90px_130px_80px]"
      >
        <TableHead className="[&>:first-child]:pl-2">
          <ColumnHead>Status</ColumnHead>
          <ColumnHead>Incident</ColumnHead>
          <ColumnHead>Cause</ColumnHead>
          <ColumnHead>Severity</ColumnHead>
          <ColumnHead right>Started</ColumnHead>
          <ColumnHead right>Duration</ColumnHead>
        </TableHead>
        <TableBody>
          {rows.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </TableBody>
      </Table>
      <LoadMore query={query} />
    </>
  );
}

function IncidentRow({ incident }: { incident: IncidentListRow }) {
  const seconds = incidentSeconds(incident);
  return (
    <Row className="max-lg:gap-y-1">
      <Cell className="flex max-lg:col-start-1 max-lg:row-start-2 lg:pl-2">
        <StateLabel state={incidentState(incident)} word={incidentWords[incident.status]} />
      </Cell>
      <Cell className="max-lg:col-span-2 max-lg:row-start-1 max-lg:grid">
        <RowLink href={`/incidents/${incident.id}`} className="max-lg:text-body lg:block">
          {incidentTitle(incident, incident.monitorName)}
        </RowLink>
      </Cell>
      <Cell className="min-w-0 text-muted max-lg:hidden">
        <Reason text={incident.cause ?? '–'} />
      </Cell>
      <Cell className="text-muted max-lg:hidden">{severityWords[incident.severity]}</Cell>
      <Cell right className="text-small text-faint max-lg:hidden">
        <Timestamp at={incident.startedAt} />
      </Cell>
      <Cell right className="text-muted max-lg:row-start-2 max-lg:text-small">
        {seconds === null ? <Elapsed at={incident.startedAt} /> : formatDuration(seconds)}
      </Cell>
    </Row>
  );
}
