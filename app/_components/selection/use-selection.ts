'use client';

import { useCallback, useRef, useState } from 'react';

/** The maximum number of selected rows, equal to that of monitors in a maintenance window. */
export const MOST_SELECTED = 1_000;

interface Identified {
  id: string;
}

function toMap<Row extends Identified>(rows: Iterable<Row>): ReadonlyMap<string, Row> {
  return new Map([...rows].slice(0, MOST_SELECTED).map((row) => [row.id, row]));
}

/** The selected rows of a list by ID; null outside of the selection mode. */
export function useSelection<Row extends Identified>() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row> | null>(null);
  /** The ID of the row that was last selected or deselected by itself. */
  const anchor = useRef<string | null>(null);
  /** Selects or deselects a row. Starts the selection mode. */
  const toggle = useCallback((row: Row) => {
    anchor.current = row.id;
    setSelected((before) => {
      const rest = [...(before?.values() ?? [])].filter(({ id }) => id !== row.id);
      return toMap(before?.has(row.id) ? rest : [...rest, row]);
    });
  }, []);
  /** Also selects the rows from the one that was last toggled to this one, in the order shown. Toggles the row if that one is not shown. */
  const selectTo = useCallback(
    (row: Row, shown: readonly Row[]) => {
      const from = shown.findIndex(({ id }) => id === anchor.current);
      const to = shown.findIndex(({ id }) => id === row.id);
      if (from < 0 || to < 0) return toggle(row);
      const between = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      setSelected((before) => toMap([...(before?.values() ?? []), ...between]));
    },
    [toggle],
  );
  const replace = (rows: ReadonlyMap<string, Row> | null) => {
    anchor.current = null;
    setSelected(rows);
  };
  return {
    selected,
    toggle,
    selectTo,
    start: () => replace(toMap([])),
    /** Replaces the selection. Without rows, ends the selection mode. */
    set: (rows: readonly Row[]) => replace(rows.length > 0 ? toMap(rows) : null),
    stop: () => replace(null),
  };
}

export type Selection<Row extends Identified> = ReturnType<typeof useSelection<Row>>;
