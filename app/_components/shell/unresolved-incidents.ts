'use client';

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useTRPC } from '@/app/_trpc/client';

/** The number rendered by the server. */
export const UnresolvedAtFirst = createContext<number | undefined>(undefined);

/** The live number of open and acknowledged incidents; 0 while unknown. */
export function useUnresolvedIncidents(): number {
  const first = useContext(UnresolvedAtFirst);
  const options = useTRPC().incidents.unresolvedCount.queryOptions();
  return useQuery({ ...options, ...(first !== undefined && { initialData: first }) }).data ?? 0;
}
