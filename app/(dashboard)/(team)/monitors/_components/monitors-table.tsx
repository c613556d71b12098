'use client';

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useMonitorActions } from '@/app/_components/monitors/use-monitor-actions';
import { ColumnHead, GroupRow, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import type { OverviewRow, OverviewSort } from '@/server/monitor-types/schema';
import { DeleteMonitorDialog } from './delete-monitor-dialog';
import type { Column } from './filters';
import type { Entry } from './list-groups';
import { MonitorRow, type RowActions, WaitingRow } from './monitor-row';
import type { Step } from './use-list-keys';

/** Up to this number, all lines are rendered, so that the browser finds text in them. */
const MOST_RENDERED = 120;
/** The height of a line until it is measured, and the number of lines beyond the window that are rendered. */
const [ROW_HEIGHT, HEADING_HEIGHT, OVERSCAN] = [41, 35, 12];
/** What the server renders: about a window. */
const serverRect = { width: 1280, height: 900 };

export interface MonitorsTableProps {
  entries: Entry[];
  /** The data of a row; undefined until it is read. */
  rowOf: (id: string) => OverviewRow | undefined;
  /** Called with the places of the visible lines. */
  onShow: (from: number, to: number) => void;
  /** Pointer and focus handlers that hold the order. */
  handlers: React.DOMAttributes<HTMLDivElement>;
  isCompact: boolean;
  hidden: readonly Column[];
  sort: OverviewSort;
  onSort: (sort: OverviewSort) => void;
  onFilter: (filter: { tag: string } | { parentId: string }) => void;
  canWrite: boolean;
  listRef: React.Ref<{ move: (step: Step) => void }>;
  /** The selected rows by ID; null outside of the selection mode. */
  selected: ReadonlyMap<string, OverviewRow> | null;
  onSelect: (row: OverviewRow) => void;
  /** Undoes the deletion of rows. */
  onRestore: (rows: OverviewRow[]) => void;
}

/** The list of monitors. Of a long list, only the visible lines are rendered, and the one that has the focus. */
export function MonitorsTable(props: MonitorsTableProps) {
  const { entries, rowOf, onShow, handlers, canWrite, selected, onSelect, onFilter } = props;
  const table = useRef<HTMLDivElement>(null);
  const [tabStop, setTabStop] = useState<string | null>(null);
  const [removing, setRemoving] = useState<OverviewRow | null>(null);
  const actions = useRowActions(setRemoving, props.onRestore);
  const current = useCurrent(entries, tabStop);
  const { parts, measure, scrollTo } = useLines(entries, table, current, onShow);

  const isAwaited = useAwaitedFocus(table, current);
  const move = useCallback(
    (step: Step) => {
      const target = placeAfter(entries, tabStop === null ? null : current, step);
      const entry = entries[target];
      if (!entry) return;
      flushSync(() => setTabStop(entry.key));
      scrollTo(target);
      isAwaited.current = true;
      focusLine(table.current, target);
    },
    [entries, tabStop, current, scrollTo, isAwaited],
  );
  useImperativeHandle(props.listRef, () => ({ move }), [move]);
  const latestMove = useRef(move);
  latestMove.current = move;
  const onMove = useCallback((step: Step) => latestMove.current(step), []);

  const line = (index: number) => {
    const entry = entries[index];
    if (!entry) return null;
    if (entry.kind === 'heading') {
      return (
        <GroupRow
          key={entry.key}
          name={entry.heading}
          count={entry.count}
          data-index={index}
          aria-rowindex={index + 2}
          {...(measure && { ref: measure })}
        />
      );
    }
    const row = entry.id === null ? undefined : rowOf(entry.id);
    if (!row) return <WaitingRow key={entry.key} index={index} />;
    return (
      <MonitorRow
        key={entry.key}
        row={row}
        line={entry.key}
        index={index}
        measure={measure}
        isTabStop={index === current}
        onFocus={setTabStop}
        onMove={onMove}
        onFilter={onFilter}
        actions={canWrite ? actions : null}
        isSelected={selected ? selected.has(row.id) : null}
        onSelect={onSelect}
      />
    );
  };

  return (
    <>
      <Table
        label="Monitors"
        aria-rowcount={entries.length + 1}
        className="rows-monitors"
        data-selecting={selected ? '' : undefined}
        data-density={props.isCompact ? 'compact' : undefined}
        data-hide={props.hidden.join(' ') || undefined}
        data-virtual={measure ? '' : undefined}
        ref={table}
        {...handlers}
      >
        <Heads isSelecting={selected !== null} sort={props.sort} onSort={props.onSort} />
        <TableBody>
          {parts.map((part) =>
            'index' in part ? (
              line(part.index)
            ) : (
              <div key={part.gap} aria-hidden="true" style={{ height: part.height }} />
            ),
          )}
        </TableBody>
      </Table>
      <DeleteMonitorDialog
        monitor={removing}
        onClose={() => setRemoving(null)}
        onDeleted={() => focusAfter(entries, removing)}
      />
    </>
  );
}

/**
 * The index of the row that Tab reaches: the one that had the focus last, or the first one. If that row is gone, the row in its place: a row gets
 * another key when its ID is read.
 */
function useCurrent(entries: Entry[], tabStop: string | null): number {
  const last = useRef(-1);
  const found = entries.findIndex(({ key }) => key === tabStop);
  const isKept = tabStop !== null && entries[last.current]?.kind === 'row';
  const current = found >= 0 ? found : isKept ? last.current : entries.findIndex(({ kind }) => kind === 'row');
  last.current = current;
  return current;
}

/** Focuses the link of a line. Returns false if the line is not rendered, or its data is being read. */
function focusLine(table: HTMLElement | null, index: number): boolean {
  const link = table?.querySelector<HTMLElement>(`[data-index="${index}"] a.row-link`);
  link?.focus({ preventScroll: true });
  return link !== null && link !== undefined;
}

/** While it is set, focuses the current line as soon as it is rendered, unless the focus is elsewhere. */
function useAwaitedFocus(table: React.RefObject<HTMLDivElement | null>, current: number) {
  const isAwaited = useRef(false);
  useEffect(() => {
    if (!isAwaited.current) return;
    const { activeElement } = document;
    const isElsewhere = activeElement !== document.body && !table.current?.contains(activeElement);
    if (isElsewhere || focusLine(table.current, current)) isAwaited.current = false;
  });
  return isAwaited;
}

/** The lines to render, and the heights before and after them. `measure` is undefined if all lines are rendered. */
function useLines(
  entries: Entry[],
  table: React.RefObject<HTMLDivElement | null>,
  current: number,
  onShow: MonitorsTableProps['onShow'],
) {
  const [top, setTop] = useState(300);
  const isShort = entries.length <= MOST_RENDERED;
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: (index) => (entries[index]?.kind === 'heading' ? HEADING_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialRect: serverRect,
    // As on the server, also where the browser restores the position of a page that is loaded again.
    initialOffset: 0,
    enabled: !isShort,
    // The focused line stays, so that the focus is not lost while the page is scrolled.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const [first = 0, last = 0] = [shown[0], shown.at(-1)];
      return current < 0 || (current >= first && current <= last)
        ? shown
        : current < first
          ? [current, ...shown]
          : [...shown, current];
    },
  });
  useLayoutEffect(() => {
    const head = table.current?.querySelector('.row-head')?.clientHeight ?? 0;
    const now = (table.current?.getBoundingClientRect().top ?? 0) + window.scrollY + head;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = isShort
    ? [0, entries.length - 1]
    : [virtualizer.range?.startIndex ?? 0, virtualizer.range?.endIndex ?? 0];
  useEffect(() => onShow(first, last), [onShow, first, last]);
  const scrollTo = useCallback(
    (index: number) => {
      if (isShort) table.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' });
      else virtualizer.scrollToIndex(index, { align: 'auto' });
    },
    [isShort, table, virtualizer],
  );
  if (isShort) return { parts: entries.map((_, index) => ({ index })), measure: undefined, scrollTo };
  return { parts: withGaps(items, virtualizer.getTotalSize(), top), measure: virtualizer.measureElement, scrollTo };
}

/** A rendered line, or the space of lines that are not rendered. */
type Part = { index: number } | { gap: string; height: number };

function withGaps(items: { index: number; start: number; end: number }[], height: number, top: number): Part[] {
  const parts: Part[] = [];
  let end = top;
  for (const item of items) {
    if (item.start > end) parts.push({ gap: `before ${item.index}`, height: item.start - end });
    parts.push({ index: item.index });
    end = item.end;
  }
  return [...parts, { gap: 'end', height: Math.max(0, height + top - end) }];
}

/** The index of the row to focus after `step`; -1 if the list has no rows. */
function placeAfter(entries: Entry[], current: number | null, step: Step): number {
  const places = entries.flatMap(({ kind }, index) => (kind === 'row' ? [index] : []));
  if (step === 'first') return places[0] ?? -1;
  if (step === 'last') return places.at(-1) ?? -1;
  const now = current === null ? -1 : places.indexOf(current);
  if (now < 0) return places[0] ?? -1;
  return places[Math.min(places.length - 1, Math.max(0, now + step))] ?? -1;
}

/** The head of a column by which the list can be sorted. */
function SortHead({
  by,
  sort,
  onSort,
  children,
  ...props
}: Omit<Parameters<typeof ColumnHead>[0], 'hidden'> & {
  by: OverviewSort;
  sort: OverviewSort;
  onSort: (sort: OverviewSort) => void;
}) {
  const isSorted = sort === by;
  return (
    <ColumnHead {...props} aria-sort={isSorted ? (by === 'p95' ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        aria-pressed={isSorted}
        className="rounded-1 hover:text-ink focus-inset aria-pressed:font-medium aria-pressed:text-ink"
        onClick={() => onSort(by)}
      >
        {children}
      </button>
    </ColumnHead>
  );
}

function Heads({ isSelecting, ...sorting }: { isSelecting: boolean } & Pick<MonitorsTableProps, 'sort' | 'onSort'>) {
  return (
    <TableHead>
      {isSelecting ? <ColumnHead hidden>Select</ColumnHead> : null}
      <SortHead by="worst" {...sorting}>
        Status
      </SortHead>
      <SortHead by="name" {...sorting}>
        Name
      </SortHead>
      <ColumnHead hidden className="c-tags">
        Tags
      </ColumnHead>
      <ColumnHead className="c-strip">Last 24 h</ColumnHead>
      <SortHead by="p95" right className="c-p95" {...sorting}>
        p95
      </SortHead>
      <SortHead by="uptime" right className="c-up" {...sorting}>
        Uptime 30 d
      </SortHead>
      <ColumnHead right className="c-last">
        Last check
      </ColumnHead>
      <ColumnHead hidden>Actions</ColumnHead>
    </TableHead>
  );
}

/** Stable functions, so that rows do not render again. */
function useRowActions(remove: RowActions['remove'], restore: MonitorsTableProps['onRestore']): RowActions {
  const monitors = useMonitorActions();
  const latest = useRef({ ...monitors, restore });
  latest.current = { ...monitors, restore };
  return useMemo(
    () => ({
      check: (row) => latest.current.checkNow(row),
      setActive: (row, active) => latest.current.setActive(row, active),
      startMaintenance: (row) => latest.current.startMaintenance(row),
      remove,
      restore: (row) => latest.current.restore([row]),
    }),
    [remove],
  );
}

/** Moves the focus to the row after a deleted one, after the dialog has returned it. */
function focusAfter(entries: Entry[], gone: OverviewRow | null): void {
  const ids = entries.flatMap((entry) => (entry.kind === 'row' && entry.id !== null ? [entry.id] : []));
  const index = ids.indexOf(gone?.id ?? '');
  const next = ids[index + 1] ?? ids[index - 1];
  setTimeout(() => document.querySelector<HTMLElement>(`a.row-link[href="/monitors/${next}"]`)?.focus(), 250);
}
