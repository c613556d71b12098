'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { type Filters, filtersToQuery, readFilters } from './filters';

/** The list's filters and how to change them: in the URL, without asking the server for the page again. */
export function useFilters(): [Filters, (filters: Filters) => void] {
  const params = useSearchParams();
  const pathname = usePathname();
  const setFilters = useCallback(
    (filters: Filters) => {
      const query = filtersToQuery(filters);
      window.history.replaceState(null, '', query ? `${pathname}?${query}` : pathname);
    },
    [pathname],
  );
  return [readFilters((name) => params.get(name)), setFilters];
}
