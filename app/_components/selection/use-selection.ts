'use client';

import { useCallback, useState } from 'react';

/** A selection has at most so many rows, as many as a maintenance window names. */
export const MOST_SELECTED = 1_000;

interface Identified {
  id: string;
}

function toMap<Row extends Identified>(rows: Iterable<Row>): ReadonlyMap<string, Row> {
  return new Map([...rows].slice(0, MOST_SELECTED).map((row) => [row.id, row]));
}

/** The selected rows of a list by ID; null while rows are not being selected. */
export function useSelection<Row extends Identified>() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row> | null>(null);
  /** Selects or deselects a row, and starts selecting. */
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
    /** Selects these rows alone; stops selecting without any. */
    set: (rows: readonly Row[]) => setSelected(rows.length > 0 ? toMap(rows) : null),
    stop: () => setSelected(null),
  };
}

export type Selection<Row extends Identified> = ReturnType<typeof useSelection<Row>>;
