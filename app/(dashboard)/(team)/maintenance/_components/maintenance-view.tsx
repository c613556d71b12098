'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { FailedQuery } from '@/app/_components/failed-query';
import { FeedButton } from '@/app/_components/feed-button';
import { LoadMore } from '@/app/_components/load-more';
import { NewButton } from '@/app/_components/new-button';
import { PageHead } from '@/app/_components/page';
import { Empty } from '@/app/_components/ui/empty';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { ToggleGroup } from '@/app/_components/ui/toggle-group';
import { uniqueById } from '@/app/_components/unique-by-id';
import { Calendar } from './calendar';
import { useWindows, type WindowPage } from './use-windows';
import { WindowsList } from './windows-list';

export interface MaintenanceViewProps {
  /** The first pages, rendered by the server. */
  initial: { current: WindowPage; past: WindowPage } | undefined;
  canWrite: boolean;
}

const layouts = [
  { value: 'list', label: 'List' },
  { value: 'calendar', label: 'Calendar' },
] as const;

/** The team's maintenance windows, as a list or a calendar. */
export function MaintenanceView({ initial, canWrite }: MaintenanceViewProps) {
  const pathname = usePathname();
  const layout = useSearchParams().get('layout') === 'calendar' ? 'calendar' : 'list';
  const add = canWrite ? <NewButton href="/maintenance/new">Schedule maintenance</NewButton> : null;
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
      {layout === 'calendar' ? <Calendar /> : <List initial={initial} canWrite={canWrite} add={add} />}
    </>
  );
}

interface ListProps extends MaintenanceViewProps {
  /** The button to schedule maintenance. */
  add: React.ReactNode;
}

function List({ initial, canWrite, add }: ListProps) {
  const { current, past } = useWindows(initial);
  const missing = [...(!current.data || current.hasNextPage ? [current] : []), ...(past.data ? [] : [past])];
  const failed = missing.find((query) => query.isError);
  if (failed) {
    return (
      <FailedQuery query={failed} title="Could not load maintenance windows">
        Maintenance takes place as scheduled.
      </FailedQuery>
    );
  }
  if (!current.data || !past.data || current.hasNextPage) return <RowsLoading label="Loading maintenance windows" />;
  // A window that ends between the two requests is in both lists.
  const windows = uniqueById([...current.data.pages, ...past.data.pages].flatMap((page) => page.maintenanceWindows));
  if (windows.length === 0) {
    return (
      <Empty title="No maintenance yet" action={add}>
        Plan work on monitors: during a maintenance window no incident opens, nobody is alerted, and uptime is not
        affected.
      </Empty>
    );
  }
  return (
    <>
      <WindowsList windows={windows} hasMorePast={past.hasNextPage} canWrite={canWrite} />
      <LoadMore query={past} />
    </>
  );
}
