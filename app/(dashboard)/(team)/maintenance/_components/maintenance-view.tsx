'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { FeedButton } from '@/app/_components/feed-button';
import { PageHead } from '@/app/_components/page';
import { PagedList } from '@/app/_components/paged-list';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Icon } from '@/app/_components/ui/icon';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { useTRPC } from '@/app/_trpc/client';
import { firstPage } from '@/app/_trpc/first-page';
import type { MaintenanceWindow } from '@/server/maintenance/schema';
import { Calendar } from './calendar';
import { WindowsList } from './windows-list';

export interface MaintenanceViewProps {
  initial: { maintenanceWindows: MaintenanceWindow[]; nextCursor: string | null } | undefined;
  canWrite: boolean;
}

const layouts = [
  { value: 'list', label: 'List' },
  { value: 'calendar', label: 'Calendar' },
] as const;

/** The team's maintenance windows, as a list or a calendar. */
export function MaintenanceView({ initial, canWrite }: MaintenanceViewProps) {
  const trpc = useTRPC();
  const pathname = usePathname();
  const layout = useSearchParams().get('layout') === 'calendar' ? 'calendar' : 'list';
  const query = useInfiniteQuery(
    trpc.maintenance.list.infiniteQueryOptions(
      { limit: 100 },
      { getNextPageParam: (page) => page.nextCursor, ...(initial && { initialData: firstPage(initial) }) },
    ),
  );
  const windows = query.data?.pages.flatMap((page) => page.maintenanceWindows);
  const add = canWrite ? (
    <Button asChild variant="primary">
      <Link href="/maintenance/new">
        <Icon name="plus" />
        Schedule maintenance
      </Link>
    </Button>
  ) : null;
  return (
    <>
      <PageHead title="Maintenance">
        <ToggleGroup
          label="Layout"
          options={layouts}
          value={layout}
          onValueChange={(value) =>
            window.history.pushState(null, '', value === 'list' ? pathname : `${pathname}?layout=${value}`)
          }
        />
        <FeedButton kind="maintenance">iCal feed</FeedButton>
        {add}
      </PageHead>
      {layout === 'calendar' ? (
        <Calendar />
      ) : (
        <PagedList
          query={query}
          items={windows}
          noun="maintenance windows"
          unaffected="They take place anyway."
          empty={
            <Empty title="No maintenance yet" action={add}>
              Plan work on monitors: during a maintenance window no incident opens, nobody is alerted, and uptime is not
              affected.
            </Empty>
          }
        >
          {(all) => <WindowsList windows={all} canWrite={canWrite} />}
        </PagedList>
      )}
    </>
  );
}
