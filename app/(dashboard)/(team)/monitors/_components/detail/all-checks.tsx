'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { LoadMore } from '@/app/_components/load-more';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { uniqueById } from '@/app/_components/unique-by-id';
import { useTRPC } from '@/app/_trpc/client';
import type { Monitor } from '@/server/monitor-types/schema';
import { ChecksTable } from './checks-table';
import { NoChecks } from './no-checks';

/** All stored checks of a monitor, newest first. */
export function AllChecks({ monitor, isDeleting }: { monitor: Monitor; isDeleting: boolean }) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.monitors.checks.infiniteQueryOptions(
      { id: monitor.id, limit: 50 },
      { enabled: !isDeleting, getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const checks = query.data?.pages.flatMap((page) => page.checks);
  if (query.isPending) return <RowsLoading rows={10} label="Loading checks" />;
  if (!checks) {
    return (
      <FailedQuery query={query} title="Could not load checks">
        Monitoring is not affected.
      </FailedQuery>
    );
  }
  if (checks.length === 0) return <NoChecks monitor={monitor} />;
  const unique = uniqueById(checks);
  return (
    <>
      <ChecksTable checks={unique} />
      <LoadMore query={query} />
    </>
  );
}
