'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { MaintenanceWindow } from '@/server/maintenance/schema';

const PER_PAGE = 100;

export interface WindowPage {
  maintenanceWindows: MaintenanceWindow[];
  nextCursor: string | null;
}

/** Loads the team's running and scheduled windows completely, and its past ones page by page. */
export function useWindows(initial: { current: WindowPage; past: WindowPage } | undefined) {
  const trpc = useTRPC();
  const current = useInfiniteQuery(
    trpc.maintenance.list.infiniteQueryOptions(
      { state: 'current', limit: PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor, ...(initial && { initialData: firstPage(initial.current) }) },
    ),
  );
  const past = useInfiniteQuery(
    trpc.maintenance.list.infiniteQueryOptions(
      { state: 'past', limit: PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor, ...(initial && { initialData: firstPage(initial.past) }) },
    ),
  );
  const { hasNextPage, isFetching, isError, fetchNextPage } = current;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return { current, past };
}
