'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { type Filters, filtersToQuery, readFilters } from './filters';

/** How a change stands in the browser's history: back undoes what was pressed, and is not led through what was typed. */
export type Change = 'push' | 'replace';

/** The list's filters and how to change them: in the URL, without asking the server for the page again. */
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
