'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { incidentTitle } from '@/app/_components/incidents/incident-words';
import { useTRPC } from '@/app/_trpc/client';
import { monitorStatuses } from '@/server/monitor-lists/values';
import type { FoundMonitor, OverviewRow } from '@/server/monitor-types/schema';
import { matches } from './match';

/** How long the palette waits for the next key before it asks the server. */
const waitMs = 40;
const MOST_MONITORS = 8;

function useSettled(search: string): string {
  const [settled, setSettled] = useState(search);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(search), waitMs);
    return () => clearTimeout(timer);
  }, [search]);
  return settled;
}

/** The monitors that this page has loaded and that match, so that something is shown at once. */
function useLoaded(search: string): FoundMonitor[] {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const filters = [trpc.monitors.overview.pathFilter(), trpc.monitors.rows.pathFilter()];
  const rows = new Map<string, OverviewRow>();
  for (const filter of filters) {
    for (const [, data] of queryClient.getQueriesData<{ rows: OverviewRow[] }>(filter)) {
      for (const row of data?.rows ?? []) rows.set(row.id, row);
    }
  }
  const severity = ({ status }: OverviewRow) => monitorStatuses.indexOf(status);
  return [...rows.values()]
    .filter((row) => matches(`${row.name} ${row.target} ${row.tags.join(' ')}`, search))
    .sort((a, b) => severity(a) - severity(b))
    .slice(0, MOST_MONITORS);
}

/** The monitors, incidents, saved views and tags that the palette shows for a search: what is loaded at once, then what the server finds. */
export function useFound(search: string, hasTeam: boolean) {
  const trpc = useTRPC();
  const settled = useSettled(search);
  const loaded = useLoaded(search);
  const found = useQuery(
    trpc.monitors.find.queryOptions({ search: settled }, { enabled: hasTeam, placeholderData: keepPreviousData }),
  );
  const incidents = useQuery(
    trpc.incidents.list.queryOptions(
      { limit: 5, ...(settled === '' ? { status: 'unresolved' as const } : { order: 'status' as const, q: settled }) },
      { enabled: hasTeam, placeholderData: keepPreviousData },
    ),
  );
  const views = useQuery(trpc.savedViews.list.queryOptions(undefined, { enabled: hasTeam }));
  const tags = useQuery(trpc.monitors.tags.queryOptions(undefined, { enabled: hasTeam }));
  const isAnswered = settled === search && found.data !== undefined && !found.isPlaceholderData;
  const isIncidentsAnswered = settled === search && !incidents.isPlaceholderData;
  return {
    monitors: isAnswered ? found.data.monitors : loaded,
    incidents: (incidents.data?.incidents ?? []).filter(
      (incident) => isIncidentsAnswered || matches(incidentTitle(incident, incident.monitorName), search),
    ),
    views: views.data?.savedViews ?? [],
    tags: tags.data?.tags ?? [],
    isReading: hasTeam && !isAnswered,
    isFailed: found.isError,
  };
}
