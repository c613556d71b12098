'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { oneOf } from '@/app/_components/one-of';
import { Button } from '@/app/_components/ui/button';
import { Count } from '@/app/_components/ui/count';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Tabs, useTab } from '@/app/_components/ui/tabs';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { ChartRange } from '@/server/monitor-lists/schema';
import { chartRanges } from '@/server/monitor-lists/values';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { monitorTitle } from '../titles';
import { AllChecks } from './all-checks';
import { MonitorHeader } from './monitor-header';
import { MonitorIncidents } from './monitor-incidents';
import { Overview } from './overview';

export interface MonitorViewProps {
  id: string;
  /** The data rendered by the server, with its range. */
  initial: { range: ChartRange; data: MonitorDetail } | undefined;
  canWrite: boolean;
}

export function MonitorView({ id, initial, canWrite }: MonitorViewProps) {
  const trpc = useTRPC();
  const range = oneOf(chartRanges, useSearchParams().get('range')) ?? '3h';
  const tab = useTab(['overview', 'checks', 'incidents']);
  const [isDeleting, setDeleting] = useState(false);
  const query = useQuery(
    trpc.monitors.detail.queryOptions(
      { id, range },
      {
        enabled: !isDeleting,
        placeholderData: keepPreviousData,
        ...(initial?.range === range && { initialData: initial.data }),
      },
    ),
  );
  const detail = query.data;
  useTitle(monitorTitle(detail));

  if (query.isError && readApiError(query.error).code === 'NOT_FOUND') return <Gone />;
  if (!detail) {
    if (query.isPending) return <RowsLoading label="Loading monitor" />;
    return (
      <FailedQuery query={query} title="Could not load monitor">
        Monitoring is not affected.
      </FailedQuery>
    );
  }
  return (
    <>
      <MonitorHeader detail={detail} canWrite={canWrite} onDeleting={setDeleting} />
      <Tabs
        label="Monitor"
        className="mt-3 mb-5"
        tabs={[
          { value: 'overview', label: 'Overview', drops: ['day'] },
          { value: 'checks', label: 'Checks', drops: ['day'] },
          {
            value: 'incidents',
            drops: ['day'],
            label: (
              <>
                Incidents
                {detail.openIncidentId ? (
                  <>
                    <Count value={1} state="down" />
                    <span className="sr-only">open</span>
                  </>
                ) : null}
              </>
            ),
          },
        ]}
      />
      {tab === 'overview' ? (
        <Overview detail={detail} range={range} isDeleting={isDeleting} canWrite={canWrite} />
      ) : null}
      {tab === 'checks' ? <AllChecks monitor={detail.monitor} isDeleting={isDeleting} /> : null}
      {tab === 'incidents' ? <MonitorIncidents detail={detail} /> : null}
    </>
  );
}

/** Shown when the monitor is deleted while its page is open. */
function Gone() {
  return (
    <Empty
      title="Monitor deleted"
      className="mx-auto max-w-[640px] sm:mt-12"
      action={
        <Button asChild>
          <Link href="/monitors">All monitors</Link>
        </Button>
      }
    >
      This monitor was deleted. Its incidents are still listed under Incidents.
    </Empty>
  );
}
