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

/** The "Load more" button of a list, with an error if the next page fails. */
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
