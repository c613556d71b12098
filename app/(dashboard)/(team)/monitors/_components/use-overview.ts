'use client';

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { MonitorOverview, OverviewGroup, OverviewOrder, OverviewRow } from '@/server/monitor-types/schema';
import { type Filters, isFiltered, orderInput, overviewInput, scopeOf } from './filters';
import { type ListGroup, splitByAttention } from './list-groups';

/** What the server rendered. */
export interface InitialOverview {
  filters: Filters;
  data: MonitorOverview;
  order: OverviewOrder | undefined;
}

/** How often the order of a long list is read again while nobody interacts with it. Its first rows follow live events. */
const orderEveryMs = 15_000;
/** The number of rows that are read together. */
const CHUNK = 50;
/** How long the visible part of the list must stay the same until its rows are read, so that dragging the scrollbar reads little. */
const settleMs = 80;

const without = { tag: 'No tag', parent: 'No parent', type: 'No type' } as const;

/** The groups of the list. `isSplit`: whether the monitors that need attention are a group of their own. */
function toGroups(
  group: OverviewGroup | null,
  isSplit: boolean,
  first: MonitorOverview | undefined,
  order: OverviewOrder | undefined,
): ListGroup[] {
  if (group) {
    return (order?.groups ?? []).map(({ key, name, ids }) => {
      return { key: key ?? '', heading: key === null ? without[group] : (name ?? key), count: ids.length, ids };
    });
  }
  if (!first) return [];
  const listed = first.rows.map(({ id }) => id);
  const known = new Set(listed);
  const ids = [...listed, ...(order?.groups.flatMap((each) => each.ids.filter((id) => !known.has(id))) ?? [])];
  const { down, degraded, unknown } = first.counts;
  return splitByAttention(ids, isSplit ? down + degraded + unknown : 0, first.matching);
}

/** The rows of the list: the first page with the counts, and the order of all rows if there are more or if they are grouped. */
export function useOverview(filters: Filters, initial: InitialOverview | undefined, held: boolean) {
  const trpc = useTRPC();
  const scope = scopeOf(filters);
  const isInitial = initial !== undefined && scopeOf(initial.filters) === scope;
  const query = useQuery(
    trpc.monitors.overview.queryOptions(overviewInput(filters), {
      placeholderData: keepPreviousData,
      ...(isInitial && { initialData: initial.data }),
    }),
  );
  const first = query.data;
  const isLong = filters.group !== null || (first !== undefined && first.nextCursor !== null);
  const order = useQuery(
    trpc.monitors.order.queryOptions(orderInput(filters), {
      enabled: isLong && !query.isPlaceholderData,
      refetchInterval: held ? false : orderEveryMs,
      ...(isInitial && initial.order && { initialData: initial.order }),
    }),
  );
  const { group, sort } = filters;
  const isSplit = sort === 'worst' && !isFiltered(filters);
  const groups = useMemo(
    () => toGroups(group, isSplit, first, isLong ? order.data : undefined),
    [group, isSplit, first, isLong, order.data],
  );
  return { query, order, first, groups, isLong };
}

/** The data of rows: of the first page, and of the visible part of the list, which live events keep current. */
export function useRows(first: MonitorOverview | undefined, ids: (string | null)[]) {
  const trpc = useTRPC();
  const [range, setRange] = useState({ from: 0, to: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback((from: number, to: number) => {
    clearTimeout(timer.current);
    const next = { from: Math.floor(from / CHUNK), to: Math.floor(to / CHUNK) };
    timer.current = setTimeout(() => {
      setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
    }, settleMs);
  }, []);
  const listed = useMemo(() => new Map(first?.rows.map((row) => [row.id, row])), [first]);
  const chunks: string[][] = [];
  for (let chunk = range.from; chunk <= range.to; chunk += 1) {
    const wanted = ids.slice(chunk * CHUNK, (chunk + 1) * CHUNK).filter((id) => id !== null && !listed.has(id));
    if (wanted.length > 0) chunks.push([...new Set(wanted as string[])]);
  }
  const queries = useQueries({
    queries: chunks.map((some) => trpc.monitors.rows.queryOptions({ ids: some })),
  });
  // Rows that were read once stay known, so that a part of the list is never blank again.
  const known = useRef(new Map<string, OverviewRow>());
  for (const { data } of queries) for (const row of data?.rows ?? []) known.current.set(row.id, row);
  for (const [id, row] of listed) known.current.set(id, row);
  return { rowOf: (id: string) => known.current.get(id), show, failed: queries.find(({ isError }) => isError) };
}
