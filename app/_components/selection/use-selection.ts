'use client';

import { useCallback, useState } from 'react';

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
  /** Selects or deselects a row. Starts the selection mode. */
  const toggle = useCallback((row: Row) => {
    setSelected((before) => {
      const rest = [...(before?.values() ?? [])].filter(({ id }) => id !== row.id);
      return toMap(before?.has(row.id) ? rest : [...rest, row]);
    });
  }, []);
  return {
    selected,
    toggle,
    start: () => setSelected(toMap([])),
    /** Replaces the selection. Without rows, ends the selection mode. */
    set: (rows: readonly Row[]) => setSelected(rows.length > 0 ? toMap(rows) : null),
    stop: () => setSelected(null),
  };
}

export type Selection<Row extends Identified> = ReturnType<typeof useSelection<Row>>;
