'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { EndMaintenanceDialog } from '@/app/_components/maintenance/end-maintenance-dialog';
import { useExtendMaintenance } from '@/app/_components/maintenance/use-extend-maintenance';
import { useRefreshMaintenance } from '@/app/_components/maintenance/use-refresh-maintenance';
import { Glyph } from '@/app/_components/status/glyph';
import { Until } from '@/app/_components/time/duration';
import { useTimeZone } from '@/app/_components/time/time-zone';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { Cell, ColumnHead, GroupRow, Row, RowLink, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { useTRPC } from '@/app/_trpc/client';
import { type MaintenanceWindow, phaseOf, recurrenceText, scopeText, spanText } from '@/server/maintenance/schema';
import { useSkip } from './use-skip';

interface Actions {
  /** Ends the current occurrence of a running window, after a confirmation. */
  end: (window: MaintenanceWindow) => void;
  /** Extends the current occurrence by 30 min. */
  extend: (window: MaintenanceWindow) => void;
  /** Skips the next occurrence of a recurring window. */
  skip: (window: MaintenanceWindow) => void;
  remove: (window: MaintenanceWindow) => void;
}

const startOf = ({ next, startsAt }: MaintenanceWindow) => Date.parse(next?.startsAt ?? startsAt);

export interface WindowsListProps {
  windows: MaintenanceWindow[];
  /** Whether there are more past windows. */
  hasMorePast: boolean;
  canWrite: boolean;
}

/** Windows in groups: running, scheduled (soonest first), past (latest first). */
export function WindowsList({ windows, hasMorePast, canWrite }: WindowsListProps) {
  const trpc = useTRPC();
  const [ending, setEnding] = useState<MaintenanceWindow | null>(null);
  const [removing, setRemoving] = useState<MaintenanceWindow | null>(null);
  const refresh = useRefreshMaintenance();
  const { extend } = useExtendMaintenance();
  const deleting = useMutation(
    trpc.maintenance.delete.mutationOptions({
      onSuccess: () => {
        toast(`Deleted ${removing?.title}`);
        setRemoving(null);
        refresh();
      },
    }),
  );
  const timeZone = useTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { skip } = useSkip(timeZone);
  const actions: Actions = {
    end: setEnding,
    extend,
    skip: ({ id, next }) => next && skip(id, next),
    remove: setRemoving,
  };
  const now = Date.now();
  const inPhase = (phase: ReturnType<typeof phaseOf>) => windows.filter((each) => phaseOf(each, now) === phase);
  const groups = [
    { name: 'Running', list: inPhase('running').sort((a, b) => startOf(a) - startOf(b)) },
    { name: 'Scheduled', list: inPhase('scheduled').sort((a, b) => startOf(a) - startOf(b)) },
    { name: 'Past', list: inPhase('past').sort((a, b) => startOf(b) - startOf(a)) },
  ].filter(({ list }) => list.length > 0);
  return (
    <>
      <Table
        label="Maintenance windows"
        className="[--cols:16px_minmax(0,1fr)_auto] lg:[--cols:16px_minmax(0,1.5fr)_minmax(0,1.3fr)_minmax(0,1.1fr)_minmax(0,0.9fr)_120px] lg:[&_.row]:px-2"
      >
        <TableHead>
          <ColumnHead hidden>State</ColumnHead>
          <ColumnHead>Title</ColumnHead>
          <ColumnHead>Time</ColumnHead>
          <ColumnHead>Monitors</ColumnHead>
          <ColumnHead>Status pages</ColumnHead>
          <ColumnHead hidden>Actions</ColumnHead>
        </TableHead>
        {groups.map(({ name, list }) => (
          <TableBody key={name}>
            <GroupRow name={name} count={name === 'Past' && hasMorePast ? undefined : list.length} />
            {list.map((window) => (
              <WindowRow
                key={window.id}
                window={window}
                now={now}
                timeZone={timeZone}
                actions={canWrite ? actions : null}
              />
            ))}
          </TableBody>
        ))}
      </Table>
      <EndMaintenanceDialog window={ending} onClose={() => setEnding(null)} />
      <AlertDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Delete “${removing?.title}”?`}
        safe="Cancel"
        verb="Delete window"
        danger
        doing={deleting}
        onConfirm={() => removing && deleting.mutate({ id: removing.id })}
      >
        If it is running, it ends now, and monitors that are still failing open an incident. Past maintenance stays in
        the history.
      </AlertDialog>
    </>
  );
}

interface WindowRowProps {
  window: MaintenanceWindow;
  now: number;
  timeZone: string;
  actions: Actions | null;
}

function WindowRow({ window, now, timeZone, actions }: WindowRowProps) {
  const phase = phaseOf(window, now);
  const skipped = window.skipped.length > 0 ? [`${formatCount(window.skipped.length)} skipped`] : [];
  const repeats = [...(recurrenceText(window.recurrence) ? [recurrenceText(window.recurrence)] : []), ...skipped].join(
    ' · ',
  );
  return (
    <Row className="py-1.5 max-lg:gap-y-1" data-state={phase === 'running' ? 'maintenance' : undefined}>
      <Cell>
        {phase === 'running' ? (
          <Glyph state="maintenance" />
        ) : (
          <Icon name={window.recurrence === null ? 'maintenance' : 'refresh'} className="text-muted" />
        )}
      </Cell>
      <Cell className="grid">
        <RowLink href={`/maintenance/${window.id}`} className={phase === 'past' ? 'text-muted' : 'max-lg:text-body'}>
          {window.title}
        </RowLink>
        {repeats ? <span className="truncate text-small text-muted">{repeats}</span> : null}
      </Cell>
      <Cell className="num min-w-0 text-muted max-lg:order-1 max-lg:col-span-2 max-lg:col-start-2">
        {phase === 'running' && window.next ? (
          <b className="font-medium text-s-fg">
            Ends <Until at={window.next.endsAt} />
            {' · '}
          </b>
        ) : null}
        {spanText(window.next ?? window, timeZone, now)}
      </Cell>
      <Cell className="truncate text-muted max-lg:order-2 max-lg:col-span-2 max-lg:col-start-2">
        {scopeText(window)}
      </Cell>
      <Cell className="text-muted max-lg:hidden">{window.isAnnounced ? 'Announced' : 'Not announced'}</Cell>
      <Cell right>
        {actions ? (
          <span className="inline-flex items-center gap-1.5">
            {phase === 'running' ? (
              <Button size="small" data-above="" className="max-lg:hidden" onClick={() => actions.end(window)}>
                End now
              </Button>
            ) : null}
            <RowMenu window={window} phase={phase} actions={actions} />
          </span>
        ) : null}
      </Cell>
    </Row>
  );
}

interface RowMenuProps {
  window: MaintenanceWindow;
  phase: ReturnType<typeof phaseOf>;
  actions: Actions;
}

function RowMenu({ window, phase, actions }: RowMenuProps) {
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="small" square data-above="" aria-label={`Actions for ${window.title}`}>
          <Icon name="more" />
        </Button>
      }
    >
      {phase === 'running' ? (
        <>
          <DropdownMenuItem icon="check" onSelect={() => actions.end(window)}>
            End now…
          </DropdownMenuItem>
          <DropdownMenuItem icon="plus" onSelect={() => actions.extend(window)}>
            Extend by 30 min
          </DropdownMenuItem>
        </>
      ) : null}
      {phase === 'scheduled' && window.recurrence !== null ? (
        <DropdownMenuItem icon="x" onSelect={() => actions.skip(window)}>
          Skip the next window
        </DropdownMenuItem>
      ) : null}
      <DropdownMenuItem asChild>
        <Link href={`/maintenance/${window.id}`}>
          <Icon name="edit" />
          Edit
        </Link>
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem icon="trash" danger onSelect={() => actions.remove(window)}>
        Delete…
      </DropdownMenuItem>
    </DropdownMenu>
  );
}
