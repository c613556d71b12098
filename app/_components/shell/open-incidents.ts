'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useTRPC } from '@/app/_trpc/client';

/** The number the server rendered the page with. */
export const OpenIncidentsAtFirst = createContext<number | undefined>(undefined);

/** How many incidents are open, kept up to date; 0 while it is not known. */
export function useOpenIncidents(): number {
  const first = useContext(OpenIncidentsAtFirst);
  const options = useTRPC().incidents.openCount.queryOptions();
  return useQuery({ ...options, ...(first !== undefined && { initialData: first }) }).data ?? 0;
}
