'use client';

import { FailedQuery, type FailedQueryProps } from '@/app/_components/failed-query';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { readApiError } from '@/app/_trpc/errors';

export interface NotLoadedProps {
  query: FailedQueryProps['query'] & { isPending: boolean };
  /** "the channel" */
  noun: string;
}

/** The page of an object that is loading, does not exist, or could not be loaded. */
export function NotLoaded({ query, noun }: NotLoadedProps) {
  if (query.isPending) return <RowsLoading label={`Loading ${noun}`} />;
  const { code, message } = readApiError(query.error);
  return <FailedQuery query={query} title={code === 'NOT_FOUND' ? message : `Could not load ${noun}`} />;
}
