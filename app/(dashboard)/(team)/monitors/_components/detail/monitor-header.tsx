'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { formatInterval } from '@/app/_components/format';
import { useKeys } from '@/app/_components/keys';
import { ManagedByGit } from '@/app/_components/managed-by-git';
import { useMonitorActions } from '@/app/_components/monitors/use-monitor-actions';
import { StatusIcon } from '@/app/_components/status/status-icon';
import { Until } from '@/app/_components/time/duration';
import { Button } from '@/app/_components/ui/button';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { Tag } from '@/app/_components/ui/tag';
import { isPassive } from '@/server/monitor-lists/values';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { DeleteMonitorDialog } from '../delete-monitor-dialog';
import { RunningMaintenance } from './running-maintenance';
import { Verdict } from './verdict';

export interface MonitorHeaderProps {
  detail: MonitorDetail;
  canWrite: boolean;
  onDeleting: (isDeleting: boolean) => void;
}

/** The header of a monitor's page: status, name, a status sentence, and the actions. */
export function MonitorHeader({ detail, canWrite, onDeleting }: MonitorHeaderProps) {
  const { monitor, dueAt, openIncidentId } = detail;
  const isPaused = monitor.isActive === 0;
  return (
    <>
      <div className="flex flex-wrap items-start gap-3">
        <StatusIcon state={monitor.status} />
        <div data-state={monitor.status} className="grid min-w-0 flex-[1_1_260px] gap-0.5">
          <h1>{monitor.name}</h1>
          <Verdict detail={detail} />
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          {openIncidentId ? (
            <Button asChild variant="primary" className="max-sm:flex-1">
              <Link href={`/incidents/${openIncidentId}`}>
                <Icon name="incidents" />
                View incident
              </Link>
            </Button>
          ) : null}
          {canWrite ? <Actions monitor={monitor} onDeleting={onDeleting} /> : null}
        </div>
      </div>
      <RunningMaintenance windows={detail.maintenanceWindows} canWrite={canWrite} />
      <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted">
        <span className="font-mono [overflow-wrap:anywhere]">{detail.request}</span>
        {monitor.config.cron === undefined ? (
          <span className="num">
            every {formatInterval(monitor.intervalSeconds)}
            {detail.isConnectionTested ? ', with a connection test in between' : null}
          </span>
        ) : null}
        {dueAt && !isPaused ? <NextTime monitor={monitor} dueAt={dueAt} /> : null}
        <ManagedByGit externalId={monitor.externalId} />
        {monitor.tags.length > 0 ? (
          <span className="flex flex-wrap gap-1">
            {monitor.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        ) : null}
      </p>
    </>
  );
}

interface ActionsProps {
  monitor: MonitorDetail['monitor'];
  onDeleting: (isDeleting: boolean) => void;
}

/** When the next check runs, or when a heartbeat's next ping is due. */
function NextTime({ monitor, dueAt }: { monitor: MonitorDetail['monitor']; dueAt: string }) {
  if (isPassive(monitor.type) && monitor.status === 'down') return null;
  return (
    <span>
      {isPassive(monitor.type) ? 'next ping due' : 'next check'} <Until at={dueAt} />
    </span>
  );
}

function Actions({ monitor, onDeleting }: ActionsProps) {
  const router = useRouter();
  const { checkNow, setActive, startMaintenance, isChecking, isUpdating } = useMonitorActions();
  const [removing, setRemoving] = useState(false);
  const isPaused = monitor.isActive === 0;
  const edit = `/monitors/${monitor.id}/edit`;
  useKeys({
    c: !isPassive(monitor.type) && !isChecking && (() => checkNow(monitor)),
    p: !isUpdating && (() => setActive(monitor, isPaused)),
    e: () => router.push(edit),
  });
  const pauseVerb = isPaused ? 'Resume' : 'Pause';
  const pauseIcon = isPaused ? 'play' : 'pause';
  return (
    <>
      {isPassive(monitor.type) ? null : (
        <Button busy={isChecking} aria-keyshortcuts="c" onClick={() => checkNow(monitor)} className="max-sm:flex-1">
          {isChecking ? null : <Icon name="refresh" />}
          Check now
        </Button>
      )}
      <Button
        busy={isUpdating}
        aria-keyshortcuts="p"
        onClick={() => setActive(monitor, isPaused)}
        className="max-lg:hidden"
      >
        {isUpdating ? null : <Icon name={pauseIcon} />}
        {pauseVerb}
      </Button>
      <Button asChild className="max-lg:hidden">
        <Link href={edit} aria-keyshortcuts="e">
          <Icon name="edit" />
          Edit
        </Link>
      </Button>
      <DropdownMenu
        trigger={
          <Button square aria-label="More actions">
            <Icon name="more" />
          </Button>
        }
      >
        <DropdownMenuItem icon={pauseIcon} onSelect={() => setActive(monitor, isPaused)}>
          {pauseVerb}
        </DropdownMenuItem>
        <DropdownMenuItem icon="maintenance" onSelect={() => startMaintenance(monitor)}>
          Start maintenance for 1 h
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link href={edit}>
            <Icon name="edit" />
            Edit
          </Link>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon="trash" danger onSelect={() => setRemoving(true)}>
          Delete…
        </DropdownMenuItem>
      </DropdownMenu>
      <DeleteMonitorDialog
        monitor={removing ? monitor : null}
        onClose={() => setRemoving(false)}
        onDeleting={onDeleting}
        onDeleted={() => router.push('/monitors')}
      />
    </>
  );
}
