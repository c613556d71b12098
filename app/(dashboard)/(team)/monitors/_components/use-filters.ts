'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { type Filters, filtersToQuery, readFilters } from './filters';

/** How a change is added to the browser history: clicks push an entry, typing replaces it. */
export type Change = 'push' | 'replace';

/** The list's filters and their setter, stored in the URL without a new page request. */
export function useFilters(): [Filters, (filters: Filters, change?: Change) => void] {
  const params = useSearchParams();
  const pathname = usePathname();
  const setFilters = useCallback(
    (filters: Filters, change: Change = 'replace') => {
      const query = filtersToQuery(filters);
      window.history[`${change}State`](null, '', query ? `${pathname}?${query}` : pathname);
    },
    [pathname],
  );
  return [readFilters((name) => params.get(name)), setFilters];
}
