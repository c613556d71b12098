'use client';

import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';

export interface LoadMoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
}

/** The button under a list that has more, and what is said where the next page did not come. */
export function LoadMore({ query }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-4 grid justify-items-center gap-2">
      <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Load more
      </Button>
      {query.isFetchNextPageError ? <FieldError>Could not load more.</FieldError> : null}
    </div>
  );
}
