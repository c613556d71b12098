'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import { formatCount } from '@/app/_components/format';
import { IncidentList } from '@/app/_components/incidents/incident-list';
import { incidentWords } from '@/app/_components/incidents/incident-words';
import { useKeys } from '@/app/_components/keys';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { SearchBox } from '@/app/_components/search-box';
import { useSelection } from '@/app/_components/selection/use-selection';
import type { Setup } from '@/app/_components/setup/setup';
import { SetupHints } from '@/app/_components/setup/setup-hints';
import { Button } from '@/app/_components/ui/button';
import { Count } from '@/app/_components/ui/count';
import { Empty } from '@/app/_components/ui/empty';
import { Tabs } from '@/app/_components/ui/tabs';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import type { IncidentCounts, IncidentListRow, IncidentStatus } from '@/server/incidents/schema';
import { incidentStatuses } from '@/server/incidents/values';
import { FilterBar } from './filter-bar';
import { countInput, type Filters, filtersToQuery, listFilter, readFilters } from './filters';
import { IncidentChips } from './incident-chips';
import { useIncidentsBar } from './incidents-bar';

export interface IncidentsViewProps {
  /** The data rendered by the server, with its filters. */
  initial:
    | { query: string; data: { incidents: IncidentListRow[]; nextCursor: string | null }; counts: IncidentCounts }
    | undefined;
  setup: Setup | undefined;
  canWrite: boolean;
  /** Whether the team has components, as the server found it. */
  hasComponents: boolean;
}

const nothing: Record<IncidentStatus | 'all', { title: string; text: string }> = {
  all: { title: 'No incidents', text: 'When a monitor goes down, its incident appears here.' },
  open: { title: 'No open incidents', text: 'When a monitor goes down, its incident appears here.' },
  acknowledged: { title: 'No acknowledged incidents', text: 'Incidents that someone is working on are listed here.' },
  resolved: { title: 'No resolved incidents', text: 'Resolved incidents are listed here.' },
};

export function IncidentsView({ initial, setup, canWrite, hasComponents }: IncidentsViewProps) {
  const trpc = useTRPC();
  const pathname = usePathname();
  const params = useSearchParams();
  const search = useRef<HTMLInputElement>(null);
  const filters = readFilters((name) => params.get(name));
  const isInitial = initial?.query === filtersToQuery(filters);
  const counts = useQuery(
    trpc.incidents.counts.queryOptions(countInput(filters), {
      placeholderData: keepPreviousData,
      ...(isInitial && { initialData: initial.counts }),
    }),
  ).data;
  const unresolved = useQuery(trpc.incidents.unresolvedCount.queryOptions()).data;
  useTitle(`${unresolved ? `${formatCount(unresolved)} unresolved · ` : ''}Incidents · Upwatch`);
  useKeys({ '/': () => search.current?.focus() });
  const setFilters = (changed: Partial<Filters>, change: 'push' | 'replace' = 'push') => {
    const query = filtersToQuery({ ...filters, ...changed });
    window.history[`${change}State`](null, '', query ? `${pathname}?${query}` : pathname);
  };
  const selection = useSelection<IncidentListRow>();
  const { bar, notice } = useIncidentsBar(selection, { filters, counts });
  const isFiltered = Object.keys(countInput(filters)).length > 0;
  const { title, text } = nothing[filters.status ?? 'all'];
  return (
    <>
      <PageHead title="Incidents" note={unresolved ? `${formatCount(unresolved)} unresolved` : null}>
        {canWrite ? <NewButton href="/incidents/new">New incident</NewButton> : null}
      </PageHead>
      <SetupHints initial={setup} canWrite={canWrite} hasSteps={false} />
      <Tabs
        label="Status"
        param="show"
        className="mb-3"
        tabs={[
          { value: 'all', label: 'All' },
          ...incidentStatuses.map((value) => ({ value, label: <TabLabel status={value} counts={counts} /> })),
        ]}
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search incidents"
          placeholder="Title, cause or name"
          value={filters.search}
          onSearch={(text) => setFilters({ search: text }, 'replace')}
          inputRef={search}
        />
        <FilterBar filters={filters} onChange={setFilters} hasComponents={hasComponents} />
        {canWrite && !selection.selected && filters.status !== 'resolved' ? (
          <Button onClick={selection.start} className="ml-auto">
            Select
          </Button>
        ) : null}
      </div>
      <IncidentChips filters={filters} onChange={setFilters} />
      {notice}
      <IncidentList
        filter={listFilter(filters)}
        canWrite={canWrite}
        {...(canWrite && { selection })}
        counts={counts}
        initial={isInitial ? initial.data : undefined}
        empty={
          isFiltered ? (
            <Empty
              title="No matching incidents"
              action={
                <Button asChild>
                  <Link href={pathname}>Show all incidents</Link>
                </Button>
              }
            >
              Search covers titles, causes, and names of monitors and components.
            </Empty>
          ) : (
            <Empty title={title}>{text}</Empty>
          )
        }
      />
      {bar}
    </>
  );
}

function TabLabel({ status, counts }: { status: IncidentStatus; counts: IncidentCounts | undefined }) {
  const count = counts?.[status];
  return (
    <>
      {incidentWords[status]}
      {count === undefined ? null : (
        <Count value={count} {...(status === 'open' && count > 0 && { state: 'down' as const })} />
      )}
    </>
  );
}
