'use client';

import { useQuery } from '@tanstack/react-query';
import { FailedQuery } from '@/app/_components/failed-query';
import { Button } from '@/app/_components/ui/button';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { type MaintenanceWindow, spanText } from '@/server/maintenance/schema';
import { useSkip } from './use-skip';

export interface ComingWindowsProps {
  window: MaintenanceWindow;
  canWrite: boolean;
  /** Called with the new version of the window after a skip or its undo. */
  onChanged?: (window: MaintenanceWindow) => void;
}

/** The next occurrences of a recurring window, including skipped ones. */
export function ComingWindows({ window, canWrite, onChanged }: ComingWindowsProps) {
  const trpc = useTRPC();
  const { id, startsAt, endsAt, timezone, recurrence, skipped } = window;
  const query = useQuery(
    trpc.maintenance.preview.queryOptions({ id, startsAt, endsAt, timezone, ...(recurrence && { recurrence }) }),
  );
  const { skip, unskip, pendingAt } = useSkip(timezone, onChanged);
  const now = Date.now();
  const all = [
    ...(query.data?.occurrences.map((each) => ({ ...each, isSkipped: false })) ?? []),
    ...skipped.map((each) => ({ ...each, isSkipped: true })),
  ];
  // Right after a skip, the two lists may come from different versions.
  const isSkipped = new Set(skipped.map((each) => each.startsAt));
  const shown = all
    .filter((each) => each.isSkipped || !isSkipped.has(each.startsAt))
    .sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
  return (
    <section aria-labelledby="coming-windows" className="mb-7 max-w-[640px]">
      <h2 id="coming-windows" className="mb-2">
        Next windows <span className="font-normal text-muted">({timezone.replaceAll('_', ' ')})</span>
      </h2>
      {query.isPending ? <RowsLoading label="Loading the next windows" /> : null}
      {query.isError ? <FailedQuery query={query} title="Could not load the next windows" /> : null}
      {query.isSuccess && shown.length === 0 ? <p className="text-muted">No upcoming windows</p> : null}
      <ul className="divide-y rounded-3 border empty:hidden">
        {shown.map((each) => {
          const text = spanText(each, timezone, now);
          const isRunning = !each.isSkipped && Date.parse(each.startsAt) <= now;
          return (
            <li key={each.startsAt} className="flex flex-wrap items-center gap-x-3 px-3 py-1">
              <span className={each.isSkipped ? 'num text-muted line-through' : 'num'}>{text}</span>
              {each.isSkipped ? <span className="text-muted">Skipped</span> : null}
              {isRunning ? <span className="text-maintenance-fg">Running</span> : null}
              <span className="h-10 grow sm:h-8" />
              {canWrite && !isRunning ? (
                <Button
                  aria-label={each.isSkipped ? `Undo the skip of ${text}` : `Skip ${text}`}
                  busy={pendingAt === each.startsAt}
                  onClick={() => (each.isSkipped ? unskip(id, each) : skip(id, each))}
                >
                  {each.isSkipped ? 'Undo' : 'Skip'}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
