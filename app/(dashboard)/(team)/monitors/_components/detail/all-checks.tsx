'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '@/app/_components/ui/button';
import { Failed } from '@/app/_components/ui/failed';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { requestIdOf } from '@/app/_trpc/errors';
import type { Monitor } from '@/server/monitors/schema';
import { ChecksTable } from './checks-table';
import { NoChecks } from './no-checks';

/** Every check of a monitor that is still kept, latest first. */
export function AllChecks({ monitor, isDeleting }: { monitor: Monitor; isDeleting: boolean }) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.monitors.checks.infiniteQueryOptions(
      { id: monitor.id, limit: 50 },
      { enabled: !isDeleting, getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const checks = query.data?.pages.flatMap((page) => page.checks);
  if (query.isPending) return <RowsLoading rows={10} label="Loading the checks" />;
  if (!checks) {
    return (
      <Failed
        title="Could not load the checks"
        requestId={requestIdOf(query.error)}
        busy={query.isFetching}
        onRetry={() => query.refetch()}
      >
        Monitoring goes on; only this list is missing.
      </Failed>
    );
  }
  if (checks.length === 0) return <NoChecks monitor={monitor} />;
  const unique = [...new Map(checks.map((check) => [check.id, check])).values()];
  return (
    <>
      <ChecksTable checks={unique} />
      {query.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}
