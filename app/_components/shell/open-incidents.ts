'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useTRPC } from '@/app/_trpc/client';

/** The number rendered by the server. */
export const OpenIncidentsAtFirst = createContext<number | undefined>(undefined);

/** The live number of open incidents; 0 while unknown. */
export function useOpenIncidents(): number {
  const first = useContext(OpenIncidentsAtFirst);
  const options = useTRPC().incidents.openCount.queryOptions();
  return useQuery({ ...options, ...(first !== undefined && { initialData: first }) }).data ?? 0;
}
