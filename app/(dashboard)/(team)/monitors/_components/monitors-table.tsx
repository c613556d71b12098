'use client';

import { useMemo, useRef, useState } from 'react';
import { ColumnHead, GroupRow, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import type { OverviewRow } from '@/server/monitor-types/schema';
import { DeleteMonitorDialog } from './delete-monitor-dialog';
import { MonitorRow, type RowActions } from './monitor-row';
import { useMonitorActions } from './use-monitor-actions';
import { useStableRows } from './use-stable-rows';

export interface MonitorsTableProps {
  rows: OverviewRow[];
  /** The number of rows in the whole list. */
  count: number;
  /** Identifies the filter; a new filter sorts the rows again. */
  scope: string;
  /** The number of rows that need attention, if they are separated from the rest. */
  attention: number | null;
  canWrite: boolean;
  listRef: React.Ref<HTMLDivElement>;
  /** The selected rows by ID; null outside of the selection mode. */
  selected: ReadonlyMap<string, OverviewRow> | null;
  onSelect: (row: OverviewRow) => void;
}

/** The list of monitors, worst status first. Rows update in place and are sorted only while the user is not interacting with them. */
export function MonitorsTable(props: MonitorsTableProps) {
  const { rows, count, scope, attention, canWrite, listRef, selected, onSelect } = props;
  const stable = useStableRows(rows, scope);
  const [tabStop, setTabStop] = useState<string | null>(null);
  const [removing, setRemoving] = useState<OverviewRow | null>(null);
  const actions = useRowActions(setRemoving);
  const current = stable.rows.some(({ id }) => id === tabStop) ? tabStop : stable.rows[0]?.id;

  const shown = (row: OverviewRow) => (
    <MonitorRow
      key={row.id}
      row={row}
      isTabStop={row.id === current}
      onFocus={setTabStop}
      actions={canWrite ? actions : null}
      isSelected={selected ? selected.has(row.id) : null}
      onSelect={onSelect}
    />
  );
  const urgent = attention === null ? [] : stable.rows.slice(0, stable.attention);
  const rest = stable.rows.slice(urgent.length);

  return (
    <>
      <Table
        label="Monitors"
        aria-rowcount={count + 1}
        className="rows-monitors"
        data-selecting={selected ? '' : undefined}
        ref={listRef}
        {...stable.handlers}
      >
        <TableHead>
          {selected ? <ColumnHead hidden>Select</ColumnHead> : null}
          <ColumnHead>Status</ColumnHead>
          <ColumnHead>Name</ColumnHead>
          <ColumnHead hidden className="c-tags">
            Tags
          </ColumnHead>
          <ColumnHead>Last 24 h</ColumnHead>
          <ColumnHead right>p95</ColumnHead>
          <ColumnHead right>Uptime 30 d</ColumnHead>
          <ColumnHead right>Last check</ColumnHead>
          <ColumnHead hidden>Actions</ColumnHead>
        </TableHead>
        {urgent.length > 0 ? (
          <TableBody>
            <GroupRow name="Needs attention" count={attention ?? urgent.length} />
            {urgent.map(shown)}
          </TableBody>
        ) : null}
        {rest.length > 0 ? (
          <TableBody>
            {urgent.length > 0 ? (
              <GroupRow name="Everything else" count={Math.max(0, count - (attention ?? 0))} />
            ) : null}
            {rest.map(shown)}
          </TableBody>
        ) : null}
      </Table>
      <DeleteMonitorDialog
        monitor={removing}
        onClose={() => setRemoving(null)}
        onDeleted={() => focusAfter(stable.rows, removing)}
      />
    </>
  );
}

/** Stable functions, so that rows do not render again. */
function useRowActions(remove: RowActions['remove']): RowActions {
  const monitors = useMonitorActions();
  const latest = useRef(monitors);
  latest.current = monitors;
  return useMemo(
    () => ({
      check: (row) => latest.current.checkNow(row),
      setActive: (row, active) => latest.current.setActive(row, active),
      startMaintenance: (row) => latest.current.startMaintenance(row),
      remove,
    }),
    [remove],
  );
}

/** Moves the focus to the row after a deleted one, after the dialog has returned it. */
function focusAfter(rows: OverviewRow[], gone: OverviewRow | null): void {
  const index = rows.findIndex(({ id }) => id === gone?.id);
  const next = rows[index + 1] ?? rows[index - 1];
  setTimeout(() => document.querySelector<HTMLElement>(`a.row-link[href="/monitors/${next?.id}"]`)?.focus(), 250);
}
