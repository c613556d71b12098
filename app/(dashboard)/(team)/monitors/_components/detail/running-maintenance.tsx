'use client';

import Link from 'next/link';
import { useState } from 'react';
import { EndMaintenanceDialog } from '@/app/_components/maintenance/end-maintenance-dialog';
import { useExtendMaintenance } from '@/app/_components/maintenance/use-extend-maintenance';
import { Until } from '@/app/_components/time/duration';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import type { MonitorDetail } from '@/server/monitor-types/schema';

export interface RunningMaintenanceProps {
  windows: MonitorDetail['maintenanceWindows'];
  canWrite: boolean;
}

/** The running maintenance windows of a monitor, with their actions. */
export function RunningMaintenance({ windows, canWrite }: RunningMaintenanceProps) {
  const [ending, setEnding] = useState<{ id: string; title: string } | null>(null);
  const { extend, extendingId } = useExtendMaintenance();
  return (
    <>
      {windows.length > 0 ? (
        <ul aria-label="Maintenance" className="mt-3 divide-y rounded-3 border bg-surface">
          {windows.map((window) => (
            <li key={window.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
              <span className="flex min-w-0 flex-[1_1_240px] items-center gap-2">
                <Icon name="maintenance" className="text-muted" />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <Link href={`/maintenance/${window.id}`} className="font-medium hover:underline">
                    {window.title}
                  </Link>{' '}
                  <span className="text-muted">
                    ends <Until at={window.endsAt} />
                  </span>
                </span>
              </span>
              <span className="flex flex-wrap items-center gap-2">
                <Button asChild>
                  <Link href={`/maintenance/${window.id}`} aria-label={`View maintenance: ${window.title}`}>
                    View maintenance
                  </Link>
                </Button>
                {canWrite ? (
                  <>
                    <Button
                      busy={extendingId === window.id}
                      aria-label={`Extend by 30 min: ${window.title}`}
                      onClick={() => extend(window)}
                    >
                      Extend by 30 min
                    </Button>
                    <Button aria-label={`End now: ${window.title}`} onClick={() => setEnding(window)}>
                      End now
                    </Button>
                  </>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <EndMaintenanceDialog window={ending} onClose={() => setEnding(null)} />
    </>
  );
}
