'use client';

import { Failed, type FailedProps } from '@/app/_components/failed';
import { readApiError } from '@/app/_trpc/errors';

export interface FailedQueryProps extends Pick<FailedProps, 'title' | 'children' | 'className'> {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** The error state of a query: what failed, its request ID, and a retry button. */
export function FailedQuery({ query, ...words }: FailedQueryProps) {
  const { requestId } = readApiError(query.error);
  return <Failed {...words} requestId={requestId} busy={query.isFetching} onRetry={() => query.refetch()} />;
}
