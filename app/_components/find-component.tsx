'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { FindOptions, type FindOptionsProps } from '@/app/_components/find-options';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** The number of options shown at once; search finds the others. */
const offered = 8;

export interface FindComponentProps extends Pick<FindOptionsProps, 'label' | 'verb' | 'autoFocus'> {
  /** The IDs of components to leave out. */
  taken?: readonly string[];
  onChoose: (id: string) => void;
  optional?: boolean;
}

/** Searches the components of the team's status pages that have no monitor and selects one. */
export function FindComponent({ taken = [], optional = false, onChoose, ...props }: FindComponentProps) {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const query = useQuery(
    trpc.statusPageComponents.list.queryOptions(
      { limit: 100, ...(search !== '' && { q: search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const free = query.data?.components.filter(({ id }) => !taken.includes(id)) ?? [];
  const hasMore = free.length > offered || (query.data?.nextCursor ?? null) !== null;
  const nothing = search === '' ? 'All components are selected.' : 'No other components match.';
  const note = hasMore ? 'More components are available. Search to find them.' : null;
  return (
    <FindOptions
      {...props}
      optional={optional}
      listLabel="Available components"
      placeholder="Search by name"
      text={text}
      onTextChange={setText}
      options={free.slice(0, offered).map(({ statusPageTitle: detail, ...component }) => ({ ...component, detail }))}
      note={query.data && free.length === 0 ? nothing : note}
      failure={query.isError && !query.data ? readApiError(query.error).message : null}
      onChoose={onChoose}
    />
  );
}

/**
 * Whether the team has components.
 * @param initial the answer until the list is loaded
 */
export function useHasComponents(initial = false): boolean {
  const trpc = useTRPC();
  const { data, isError } = useQuery(trpc.statusPageComponents.list.queryOptions({ limit: 100 }));
  return data ? data.components.length > 0 : initial || isError;
}
