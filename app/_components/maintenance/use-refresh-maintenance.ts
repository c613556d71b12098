'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';

/** Reloads the queries that a change of a maintenance window affects: windows and monitors. */
export function useRefreshMaintenance(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries(trpc.maintenance.pathFilter());
    void queryClient.invalidateQueries(trpc.monitors.pathFilter());
  };
}
