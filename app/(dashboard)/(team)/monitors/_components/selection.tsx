'use client';

import { useCallback, useState } from 'react';
import { formatCount } from '@/app/_components/format';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import type { OverviewRow } from '@/server/monitors/schema';
import { useMonitorActions } from './use-monitor-actions';

/** A maintenance window names at most so many monitors. */
const MOST = 1_000;

/** The selected rows of the list; null while rows are not being selected. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, OverviewRow> | null>(null);
  const toggle = useCallback((row: OverviewRow) => {
    setSelected((before) => {
      const after = new Map(before);
      if (!after.delete(row.id) && after.size < MOST) after.set(row.id, row);
      return after;
    });
  }, []);
  return {
    selected,
    toggle,
    start: () => setSelected(new Map()),
    stop: () => setSelected(null),
  };
}

/** Starts selecting rows, and acts on the selected ones. */
export function SelectionBar({ selected, start, stop }: Omit<ReturnType<typeof useSelection>, 'toggle'>) {
  const { startMaintenance } = useMonitorActions();
  if (!selected) {
    return (
      <>
        <span className="grow" />
        <Button onClick={start}>Select</Button>
      </>
    );
  }
  return (
    <>
      <span className="grow" />
      <span role="status" className="num text-small text-muted">
        {formatCount(selected.size)} selected
      </span>
      <Button
        disabled={selected.size === 0}
        onClick={() => {
          startMaintenance([...selected.values()]);
          stop();
        }}
      >
        <Icon name="maintenance" />
        Start maintenance for 1 h
      </Button>
      <Button variant="ghost" onClick={stop}>
        Cancel
      </Button>
    </>
  );
}
