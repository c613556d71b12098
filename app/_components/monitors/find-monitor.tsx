'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { FindOptions, type FindOptionsProps } from '@/app/_components/find-options';
import type { State } from '@/app/_components/status/states';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { MonitorType } from '@/server/monitor-types/schema';

/** A monitor in the list of options. */
export interface NamedMonitor {
  id: string;
  name: string;
  status: State;
  type: MonitorType;
  /** The target as displayed. */
  target: string;
}

export interface FindMonitorProps
  extends Pick<FindOptionsProps, 'label' | 'verb' | 'listLabel' | 'autoFocus' | 'error'> {
  /** The IDs of monitors to leave out. */
  taken?: readonly string[];
  /** The message if no monitor is left. */
  allTaken?: string;
  optional?: boolean;
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
    <FindOptions
      label={label}
      verb={verb}
      listLabel={listLabel}
      text={text}
      optional={optional}
      error={error}
      placeholder="Search by name, URL or tag"
      autoFocus={props.autoFocus}
      onTextChange={setText}
      options={free.slice(0, offered)}
      note={query.data ? hint(query.data.total, free.length, search, more, allTaken) : null}
      failure={query.isError && !query.data ? readApiError(query.error).message : null}
      onChoose={(chosen) => {
        const found = free.find(({ id }) => id === chosen);
        if (found)
          onChoose({ id: found.id, name: found.name, status: found.status, type: found.type, target: found.target });
      }}
    />
  );
}

/** The note below the options. */
function hint(total: number, free: number, search: string, more: boolean, allTaken: string): string | null {
  if (total === 0) return 'No monitors yet.';
  if (free === 0) return search === '' ? allTaken : 'No other monitors match.';
  return more ? 'More monitors are available. Search to find them.' : null;
}
