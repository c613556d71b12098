'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo, useRef } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { formatCount } from '@/app/_components/format';
import { LoadMore } from '@/app/_components/load-more';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { SearchBox } from '@/app/_components/search-box';
import { useSelection } from '@/app/_components/selection/use-selection';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { uniqueById } from '@/app/_components/unique-by-id';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { MonitorOverview, OverviewRow } from '@/server/monitor-types/schema';
import { type Filters, filtersToQuery, overviewInput } from './filters';
import { FirstMonitor } from './first-monitor';
import { useMonitorsBar } from './monitors-bar';
import { MonitorsTable } from './monitors-table';
import { Summary } from './summary';
import { monitorsTitle } from './titles';
import { useFilters } from './use-filters';
import { useListKeys } from './use-list-keys';

export interface MonitorsViewProps {
  /** The data rendered by the server, with its filters. */
  initial: { filters: Filters; data: MonitorOverview } | undefined;
  canWrite: boolean;
}

function useOverview(filters: Filters, initial: MonitorsViewProps['initial']) {
  const trpc = useTRPC();
  const isInitial = initial && filtersToQuery(initial.filters) === filtersToQuery(filters);
  return useInfiniteQuery(
    trpc.monitors.overview.infiniteQueryOptions(overviewInput(filters), {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      ...(isInitial && { initialData: firstPage(initial.data) }),
    }),
  );
}

export function MonitorsView({ initial, canWrite }: MonitorsViewProps) {
  const router = useRouter();
  const [filters, setFilters] = useFilters();
  const query = useOverview(filters, initial);
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useListKeys({ list, search, onNew: canWrite ? () => router.push('/monitors/new') : null });

  const pages = query.data?.pages;
  const first = pages?.[0];
  const rows = useMemo(() => {
    const all = pages?.flatMap((page) => page.rows) ?? [];
    return uniqueById(all);
  }, [pages]);
  useTitle(monitorsTitle(first));
  const selection = useSelection<OverviewRow>();
  const { bar, notice } = useMonitorsBar(selection, { filters, matching: first?.matching ?? 0 });

  if (first?.total === 0) return <FirstMonitor canWrite={canWrite} />;
  const isFiltered = filters.status !== null || filters.search !== '';
  const counts = first?.counts;
  return (
    <>
      <PageHead title="Monitors" note={first ? formatCount(first.total) : null}>
        {canWrite ? <NewButton href="/monitors/new">New monitor</NewButton> : null}
      </PageHead>
      {first && counts ? (
        <Summary
          counts={counts}
          total={first.total}
          status={filters.status}
          onStatus={(status) => setFilters({ ...filters, status }, 'push')}
        />
      ) : null}
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search monitors"
          placeholder="Name, URL or tag"
          value={filters.search}
          onSearch={(text) => setFilters({ ...filters, search: text })}
          inputRef={search}
        />
        {isFiltered && first && !query.isPlaceholderData ? (
          <span role="status" className="num text-small text-faint">
            {formatCount(first.matching)} of {formatCount(first.total)}
          </span>
        ) : null}
        {canWrite && !selection.selected ? (
          <>
            <span className="grow" />
            <Button onClick={selection.start}>Select</Button>
          </>
        ) : null}
      </div>
      {notice}
      {query.isPending ? <RowsLoading label="Loading monitors" /> : null}
      {query.isError && !first ? (
        <FailedQuery query={query} title="Could not load monitors">
          Monitoring is not affected.
        </FailedQuery>
      ) : null}
      {first && rows.length === 0 ? (
        <Empty
          title="No matching monitors"
          action={<Button onClick={() => setFilters({ status: null, search: '' }, 'push')}>Show all monitors</Button>}
        >
          Search covers names, URLs, hosts and tags.
        </Empty>
      ) : null}
      {first && counts && rows.length > 0 ? (
        <MonitorsTable
          rows={rows}
          count={first.matching}
          scope={filtersToQuery(filters)}
          attention={isFiltered ? null : (counts.down ?? 0) + (counts.degraded ?? 0) + (counts.unknown ?? 0)}
          canWrite={canWrite}
          listRef={list}
          selected={selection.selected}
          onSelect={selection.toggle}
        />
      ) : null}
      <LoadMore query={query} />
      {bar}
    </>
  );
}
