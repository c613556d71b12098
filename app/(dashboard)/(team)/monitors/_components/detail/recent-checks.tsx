'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { FailedQuery } from '@/app/_components/failed-query';
import { linkClass, Section } from '@/app/_components/page';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import type { Monitor } from '@/server/monitor-types/schema';
import { ChecksTable } from './checks-table';
import { NoChecks } from './no-checks';

/** The most recent checks of a monitor. */
export function RecentChecks({ monitor, isDeleting }: { monitor: Monitor; isDeleting: boolean }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.monitors.checks.queryOptions({ id: monitor.id, limit: 8 }, { enabled: !isDeleting }));
  const checks = query.data?.checks;
  return (
    <Section
      title="Recent checks"
      actions={
        query.data?.nextCursor ? (
          <Link href="?tab=checks" className={`${linkClass} py-1 text-small`}>
            All checks
          </Link>
        ) : null
      }
    >
      {query.isPending ? <RowsLoading rows={4} label="Loading checks" /> : null}
      {query.isError && !checks ? (
        <FailedQuery query={query} title="Could not load checks">
          Monitoring is not affected.
        </FailedQuery>
      ) : null}
      {checks?.length === 0 ? <NoChecks monitor={monitor} /> : null}
      {checks && checks.length > 0 ? <ChecksTable checks={checks} /> : null}
    </Section>
  );
}
