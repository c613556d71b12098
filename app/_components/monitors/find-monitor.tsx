'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Glyph } from '@/app/_components/status/glyph';
import { type State, stateWords } from '@/app/_components/status/states';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { MonitorType } from '@/server/monitors/schema';

/** A monitor in the list of options. */
export interface NamedMonitor {
  id: string;
  name: string;
  status: State;
  type: MonitorType;
  /** The target as displayed. */
  target: string;
}

export interface FindMonitorProps {
  /** The label: "Add a monitor". */
  label: React.ReactNode;
  /** The verb before each name: "Add". */
  verb: string;
  /** The accessible name of the list. */
  listLabel: string;
  /** The IDs of monitors to leave out. */
  taken?: readonly string[];
  /** The message if no monitor is left. */
  allTaken?: string;
  optional?: boolean;
  /** Focuses the search, which replaced the focused element. */
  autoFocus?: boolean;
  error?: string | undefined;
  onChoose: (monitor: NamedMonitor) => void;
}

/** The number of options shown at once; search finds the others. */
const offered = 8;

/** Searches the team's monitors and selects one. */
export function FindMonitor(props: FindMonitorProps) {
  const {
    label,
    verb,
    listLabel,
    taken = [],
    allTaken = 'No other monitors.',
    optional = false,
    error,
    onChoose,
  } = props;
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const query = useQuery(
    trpc.monitors.overview.queryOptions(
      { limit: 100, ...(search !== '' && { search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const free = query.data?.rows.filter(({ id }) => !taken.includes(id)) ?? [];
  const more = free.length > offered || (query.data?.nextCursor ?? null) !== null;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field label={label} optional={optional} error={error}>
        <Input
          type="search"
          autoFocus={props.autoFocus}
          autoComplete="off"
          placeholder="Search by name, URL or tag"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // Enter searches and does not submit the form.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      </Field>
      {query.isError && !query.data ? (
        <p role="alert" className="text-small text-muted">
          {readApiError(query.error).message}
        </p>
      ) : null}
      {free.length > 0 ? (
        <ul aria-label={listLabel} className="flex flex-wrap gap-1.5">
          {free.slice(0, offered).map(({ id, name, status, type, target }) => (
            <li key={id} className="max-w-full">
              <button
                type="button"
                onClick={() => onChoose({ id, name, status, type, target })}
                className="inline-flex min-h-10 max-w-full items-center gap-1.5 rounded-2 border border-strong bg-surface px-2 hover:bg-hover sm:min-h-[26px]"
              >
                <Icon name="plus" small className="text-muted" />
                <span className="sr-only">{verb}</span>
                <Glyph state={status} size="small" />
                <span className="truncate">{name}</span>
                <span className="sr-only">, {stateWords[status]}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {query.data ? (
        <p className="text-small text-faint">{hint(query.data.total, free.length, search, more, allTaken)}</p>
      ) : null}
    </div>
  );
}

/** The note below the options. */
function hint(total: number, free: number, search: string, more: boolean, allTaken: string): string | null {
  if (total === 0) return 'No monitors yet.';
  if (free === 0) return search === '' ? allTaken : 'No other monitors match.';
  return more ? 'More monitors are available. Search to find them.' : null;
}
