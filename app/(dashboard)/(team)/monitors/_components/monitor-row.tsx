'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { memo, useCallback, useEffect, useRef } from 'react';
import { Strip } from '@/app/_components/charts/strip';
import { formatMs, formatPercent } from '@/app/_components/format';
import { useKeysSwitch } from '@/app/_components/keys';
import { SelectRow } from '@/app/_components/selection/selection-bar';
import { StateLabel } from '@/app/_components/status/state-label';
import { stateWords } from '@/app/_components/status/states';
import { Elapsed, RelativeTime } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { Skeleton } from '@/app/_components/ui/skeleton';
import { Cell, Row, RowLink } from '@/app/_components/ui/table';
import { Kind, Tag } from '@/app/_components/ui/tag';
import { isPassive } from '@/server/monitor-lists/values';
import type { OverviewRow } from '@/server/monitor-types/schema';
import { failureReason } from './failure-reason';
import { moveInList, type Step } from './use-list-keys';

export interface MonitorRowProps {
  row: OverviewRow;
  /** The key of its line: a monitor in several groups has several. */
  line: string;
  /** The line's place in the list, and a function that is called with its element. */
  index: number;
  measure: ((element: Element | null) => void) | undefined;
  /** Whether Tab focuses this row. Arrow keys focus the others. */
  isTabStop: boolean;
  onFocus: (line: string) => void;
  /** Moves the focus from this row. */
  onMove: (step: Step) => void;
  /** Shows only monitors with this tag, or those that depend on this monitor. */
  onFilter: (filter: { tag: string } | { parentId: string }) => void;
  /** The actions of the row; null for viewers. */
  actions: RowActions | null;
  /** Whether the row is selected; null outside of the selection mode. */
  isSelected: boolean | null;
  onSelect: (row: OverviewRow) => void;
}

export interface RowActions {
  check: (row: OverviewRow) => void;
  setActive: (row: OverviewRow, active: boolean) => void;
  startMaintenance: (row: OverviewRow) => void;
  remove: (row: OverviewRow) => void;
  /** Undoes the deletion of the row. */
  restore: (row: OverviewRow) => void;
}

const shownTags = 3;

const filterClass = 'rounded-1 hover:underline focus-inset';

/** Highlights the row briefly when its status changes. */
function useLift(status: string) {
  const ref = useRef<HTMLDivElement | null>(null);
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    ref.current?.animate([{ backgroundColor: `var(--${status}-subtle)` }, {}], { duration: 1200, easing: 'ease-in' });
  }, [status]);
  return ref;
}

/** One row of the list. Memoized, because only few of hundreds of rows change at a time. */
export const MonitorRow = memo(function MonitorRow(props: MonitorRowProps) {
  const { row, line, index, measure, isTabStop, onFocus, onMove, onFilter, actions, isSelected, onSelect } = props;
  const router = useRouter();
  const { isOn } = useKeysSwitch();
  const lift = useLift(row.status);
  const href = `/monitors/${row.id}`;
  const isPaused = row.status === 'paused';
  const canCheck = !isPassive(row.type);
  const reason = failureReason(row);
  const setElement = useCallback(
    (element: HTMLDivElement | null) => {
      lift.current = element;
      measure?.(element);
    },
    [lift, measure],
  );

  const onKeyDown = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (!inside || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (moveInList(event.currentTarget, event.key, onMove) || act(event.key)) event.preventDefault();
  };
  const act = (key: string): boolean => {
    if (!actions || !isOn || !['c', 'p', 'e', 'x'].includes(key)) return false;
    if (key === 'c' && canCheck) actions.check(row);
    if (key === 'p') actions.setActive(row, isPaused);
    if (key === 'e') router.push(`${href}/edit`);
    if (key === 'x') onSelect(row);
    return true;
  };

  return (
    <Row
      ref={setElement}
      data-index={index}
      data-brief={reason !== null || row.parent ? '' : undefined}
      aria-rowindex={index + 2}
      onKeyDown={onKeyDown}
      onFocus={() => onFocus(line)}
    >
      {isSelected === null ? null : (
        <Cell className="c-sel">
          <SelectRow name={row.name} isSelected={isSelected} onSelect={() => onSelect(row)} />
        </Cell>
      )}
      <Cell className="c-state flex items-center">
        <StateLabel state={row.status} since={row.status === 'pending' ? null : row.statusSince} />
      </Cell>
      <Cell className="c-name">
        <span className="c-title flex min-w-0 items-baseline gap-2.5">
          <RowLink href={href} tabIndex={isTabStop ? 0 : -1} className="shrink grow-0">
            {row.name}
          </RowLink>
          <Kind>{row.type}</Kind>
          {/* Where the column of tags is hidden. */}
          {row.deletesAt ? <Tag className="shrink-0 min-[75rem]:hidden">deleting</Tag> : null}
        </span>
        {reason === null ? (
          <span className="c-target truncate font-mono text-small text-faint">{row.target}</span>
        ) : (
          <span className="c-why truncate text-small text-muted" title={row.lastError ?? reason}>
            {reason}
          </span>
        )}
      </Cell>
      <Cell className="c-tags">
        {row.deletesAt ? <Tag>deleting</Tag> : null}
        {row.isFlapping ? <Tag className="text-s-fg">flapping</Tag> : null}
        {row.parent ? <ParentTag parent={row.parent} onFilter={onFilter} /> : null}
        {row.tags.slice(0, shownTags).map((tag) => (
          <button key={tag} type="button" tabIndex={-1} className={filterClass} onClick={() => onFilter({ tag })}>
            <span className="sr-only">Show tag </span>
            <Tag>{tag}</Tag>
          </button>
        ))}
        {row.tags.length > shownTags ? <Tag title={row.tags.join(', ')}>+{row.tags.length - shownTags}</Tag> : null}
      </Cell>
      <Cell className="c-strip">
        <Strip ticks={row.strip} />
      </Cell>
      <Cell right className="c-p95">
        {formatMs(row.p95Ms)}
      </Cell>
      <Cell right className="c-up">
        {formatPercent(row.uptime30d)}
      </Cell>
      <Cell right className="c-last text-small text-faint">
        <span data-state={row.status} aria-hidden="true">
          <span className="word">
            {stateWords[row.status]} {row.status === 'pending' ? null : <Elapsed at={row.statusSince} />}
          </span>
        </span>
        <span className="max-lg:hidden">{row.lastCheckedAt ? <RelativeTime at={row.lastCheckedAt} /> : '–'}</span>
      </Cell>
      <Cell className="c-more row-more">
        {actions && isSelected === null ? (
          <DropdownMenu
            trigger={
              <Button variant="ghost" size="small" square tabIndex={-1} aria-label={`Actions for ${row.name}`}>
                <Icon name="more" />
              </Button>
            }
          >
            {canCheck ? (
              <DropdownMenuItem icon="refresh" onSelect={() => actions.check(row)}>
                Check now
              </DropdownMenuItem>
            ) : null}
            <DropdownMenuItem icon={isPaused ? 'play' : 'pause'} onSelect={() => actions.setActive(row, isPaused)}>
              {isPaused ? 'Resume' : 'Pause'}
            </DropdownMenuItem>
            <DropdownMenuItem icon="maintenance" onSelect={() => actions.startMaintenance(row)}>
              Start maintenance for 1 h
            </DropdownMenuItem>
            <DropdownMenuItem asChild>
              <Link href={`${href}/edit`}>
                <Icon name="edit" />
                Edit
              </Link>
            </DropdownMenuItem>
            <DropdownMenuItem asChild>
              <Link href={`/monitors/new?from=${row.id}`}>
                <Icon name="copy" />
                Duplicate
              </Link>
            </DropdownMenuItem>
            <DropdownMenuSeparator />
            {row.deletesAt ? (
              <DropdownMenuItem icon="refresh" onSelect={() => actions.restore(row)}>
                Undo deletion
              </DropdownMenuItem>
            ) : (
              <DropdownMenuItem icon="trash" danger onSelect={() => actions.remove(row)}>
                Delete…
              </DropdownMenuItem>
            )}
          </DropdownMenu>
        ) : null}
      </Cell>
    </Row>
  );
});

/** The monitor that a row depends on. */
function ParentTag({
  parent,
  onFilter,
}: {
  parent: NonNullable<OverviewRow['parent']>;
  onFilter: MonitorRowProps['onFilter'];
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Depends on ${parent.name}`}
      className={filterClass}
      onClick={() => onFilter({ parentId: parent.id })}
    >
      <span className="sr-only">Show monitors that depend on </span>
      <Tag className="max-w-32">
        <span aria-hidden="true">↳&nbsp;</span>
        <span className="truncate">{parent.name}</span>
      </Tag>
    </button>
  );
}

/** A row whose data is being read, in the height of a row. */
export function WaitingRow({ index }: { index: number }) {
  return (
    <Row data-index={index} aria-rowindex={index + 2} className="row-waiting">
      <Cell className="c-state">
        <Skeleton round />
        <span className="sr-only">Loading</span>
      </Cell>
      <Cell className="c-name">
        <Skeleton className="w-40" />
      </Cell>
    </Row>
  );
}
