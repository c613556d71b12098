'use client';

import { FailedQuery, type FailedQueryProps } from '@/app/_components/failed-query';
import { LoadMore, type LoadMoreProps } from '@/app/_components/load-more';
import { RowsLoading } from '@/app/_components/ui/skeleton';

export interface PagedListProps<Each> {
  query: FailedQueryProps['query'] & LoadMoreProps['query'] & { isPending: boolean; isError: boolean };
  /** The items of all loaded pages; undefined before the first page. */
  items: Each[] | undefined;
  /** The name of the items in the plural: "schedules". */
  noun: string;
  /** What still works if the list cannot be loaded. */
  unaffected: string;
  /** The empty state. */
  empty: React.ReactNode;
  children: (items: Each[]) => React.ReactNode;
}

/** A list that is loaded page by page, with its loading, error and empty states. */
export function PagedList<Each>({ query, items, noun, unaffected, empty, children }: PagedListProps<Each>) {
  if (query.isPending) return <RowsLoading label={`Loading ${noun}`} />;
  if (!items) {
    return (
      <FailedQuery query={query} title={`Could not load ${noun}`}>
        {unaffected}
      </FailedQuery>
    );
  }
  if (items.length === 0) return empty;
  return (
    <>
      {children(items)}
      <LoadMore query={query} />
    </>
  );
}
