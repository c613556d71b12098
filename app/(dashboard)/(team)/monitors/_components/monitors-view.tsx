'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useMemo, useRef, useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { filterButton } from '@/app/_components/filter-chips';
import { formatCount } from '@/app/_components/format';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { SearchBox } from '@/app/_components/search-box';
import { useSelection } from '@/app/_components/selection/use-selection';
import type { Setup } from '@/app/_components/setup/setup';
import { SetupHints } from '@/app/_components/setup/setup-hints';
import { Button } from '@/app/_components/ui/button';
import { DropdownMenuItem } from '@/app/_components/ui/dropdown-menu';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTitle } from '@/app/_components/use-title';
import { MOST_LISTED } from '@/server/monitor-lists/values';
import type { OverviewRow } from '@/server/monitor-types/schema';
import type { SavedView } from '@/server/saved-views/schema';
import { type Filters, isFiltered, scopeOf, unfiltered } from './filters';
import { toEntries } from './list-groups';
import { ListOptions } from './list-options';
import { MonitorChips } from './monitor-chips';
import { useMonitorsBar } from './monitors-bar';
import { MonitorsTable, type MonitorsTableProps } from './monitors-table';
import { Summary } from './summary';
import { monitorsTitle } from './titles';
import { useCsv } from './use-csv';
import { useFilters } from './use-filters';
import { useListKeys } from './use-list-keys';
import { type InitialOverview, useOverview, useRows } from './use-overview';
import { useSavedViews } from './use-saved-views';
import { useHeld, useStableGroups } from './use-stable-groups';

// Loaded when they are shown for the first time.
const FirstMonitor = dynamic(() => import('./first-monitor').then((module) => module.FirstMonitor));
const FilterDialog = lazyPart(() => import('./filter-dialog').then((module) => module.FilterDialog));

export interface MonitorsViewProps {
  /** What the server rendered, with its filters. */
  initial: InitialOverview | undefined;
  views: SavedView[] | undefined;
  setup: Setup | undefined;
  canWrite: boolean;
}

export function MonitorsView({ initial, views, setup, canWrite }: MonitorsViewProps) {
  const router = useRouter();
  const [filters, setFilters] = useFilters();
  const { held, handlers } = useHeld();
  const { query, order, first, groups, isLong } = useOverview(filters, initial, held);
  const scope = scopeOf(filters);
  const stable = useStableGroups(groups, { scope, held, isByGroup: filters.group !== null });
  const matching = first?.matching ?? 0;
  const entries = useMemo(
    () => toEntries(stable, filters.group ? 0 : Math.min(matching, MOST_LISTED)),
    [stable, matching, filters.group],
  );
  const ids = useMemo(() => entries.map((entry) => (entry.kind === 'row' ? entry.id : null)), [entries]);
  const { rowOf, show, failed } = useRows(first, ids);
  const list: MonitorsTableProps['listRef'] & object = useRef(null);
  const search = useRef<HTMLInputElement>(null);
  const [isFiltering, setFiltering] = useState<boolean | null>(null);
  useListKeys({ list, search, onNew: canWrite ? () => router.push('/monitors/new') : null });
  useTitle(monitorsTitle(first));
  const selection = useSelection<OverviewRow>();
  const saved = useSavedViews({ filters, setFilters, initial: views, canWrite });
  const exportCsv = useCsv(filters);
  const { bar, notice, dialogs, restore } = useMonitorsBar(selection, { filters, matching });

  if (first?.total === 0) return <FirstMonitor canWrite={canWrite} />;
  const change = (some: Partial<Filters>) => setFilters({ ...filters, ...some }, 'push');
  const isNarrowed = isFiltered(filters);
  return (
    <>
      <PageHead title="Monitors" note={first ? formatCount(first.total) : null}>
        {canWrite ? (
          <>
            <Button variant="ghost" asChild>
              <Link href="/monitors/import">Import</Link>
            </Button>
            <NewButton href="/monitors/new">New monitor</NewButton>
          </>
        ) : null}
      </PageHead>
      <SetupHints initial={setup} canWrite={canWrite} hasSteps />
      {saved.tabs}
      {first ? (
        <Summary
          counts={first.counts}
          total={first.total}
          status={filters.status}
          onStatus={(status) => change({ status })}
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
        <Button aria-label="Filter" {...filterButton} onClick={() => setFiltering(true)}>
          <Icon name="filter" />
          <span className="max-sm:hidden">Filter</span>
        </Button>
        <ListOptions filters={filters} onChange={change}>
          {canWrite ? (
            <DropdownMenuItem icon="plus" onSelect={saved.create}>
              Save as view…
            </DropdownMenuItem>
          ) : null}
          <DropdownMenuItem icon="download" onSelect={exportCsv}>
            Download as CSV
          </DropdownMenuItem>
        </ListOptions>
        {isNarrowed && first && !query.isPlaceholderData ? (
          <span role="status" className="num text-small text-faint">
            {formatCount(first.matching)} of {formatCount(first.total)}
          </span>
        ) : null}
        {canWrite && !selection.selected ? (
          <>
            <span className="grow max-sm:hidden" />
            <Button onClick={selection.start}>Select</Button>
          </>
        ) : null}
      </div>
      <MonitorChips filters={filters} onChange={change} />
      {isFiltering === null ? null : (
        <FilterDialog filters={filters} onChange={change} open={isFiltering} onClose={() => setFiltering(false)} />
      )}
      {notice}
      {query.isPending || (first && matching > 0 && entries.length === 0 && order.isPending) ? (
        <RowsLoading label="Loading monitors" />
      ) : null}
      {query.isError && !first ? (
        <FailedQuery query={query} title="Could not load monitors">
          Monitoring is not affected.
        </FailedQuery>
      ) : null}
      {first && matching === 0 ? (
        <Empty
          title="No matching monitors"
          action={<Button onClick={() => change(unfiltered)}>Show all monitors</Button>}
        >
          Search covers names, URLs, hosts and tags.
        </Empty>
      ) : null}
      {entries.length > 0 && matching > 0 ? (
        <MonitorsTable
          entries={entries}
          rowOf={rowOf}
          onShow={show}
          handlers={handlers}
          isCompact={filters.isCompact}
          hidden={filters.hidden}
          sort={filters.sort}
          onSort={(sort) => change({ sort })}
          onFilter={change}
          canWrite={canWrite}
          listRef={list}
          selected={selection.selected}
          onSelect={selection.toggle}
          onRestore={restore}
        />
      ) : null}
      {isLong && order.isError ? (
        <FailedQuery query={order} title="Could not load the whole list">
          The first monitors are shown.
        </FailedQuery>
      ) : failed ? (
        <FailedQuery query={failed} title="Could not load some monitors">
          Monitoring is not affected.
        </FailedQuery>
      ) : null}
      {isLong && order.data?.isComplete === false ? (
        <p className="mt-3 text-small text-muted">
          These are the first {formatCount(MOST_LISTED)} rows. Filter the list to see others.
        </p>
      ) : null}
      {bar}
      {dialogs}
      {saved.dialogs}
    </>
  );
}
