'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { type MaintenanceWindow, type Occurrence, spanText } from '@/server/maintenance/schema';

/**
 * Skips occurrences of windows, with an undo. Messages contain times in `timeZone`.
 * @param onChanged called with each new version of a window
 */
export function useSkip(timeZone: string, onChanged?: (window: MaintenanceWindow) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = {
    onSuccess: ({ maintenanceWindow }: { maintenanceWindow: MaintenanceWindow }) => onChanged?.(maintenanceWindow),
    onError: (error: unknown) => toast.error(readApiError(error).message),
    onSettled: () => {
      void queryClient.invalidateQueries(trpc.maintenance.pathFilter());
      void queryClient.invalidateQueries(trpc.monitors.pathFilter());
    },
  };
  const skipping = useMutation(trpc.maintenance.skip.mutationOptions(options));
  const undoing = useMutation(trpc.maintenance.unskip.mutationOptions(options));
  const textOf = (each: Occurrence) => spanText(each, timeZone, Date.now());
  const unskip = (id: string, each: Occurrence) =>
    undoing.mutate(
      { id, startsAt: each.startsAt },
      { onSuccess: () => toast(`${textOf(each)} takes place again`, { state: 'maintenance' }) },
    );
  const skip = (id: string, each: Occurrence) =>
    skipping.mutate(
      { id, startsAt: each.startsAt },
      {
        onSuccess: () =>
          toast(`Skipped ${textOf(each)}`, { action: { label: 'Undo', onClick: () => unskip(id, each) } }),
      },
    );
  const pending = [skipping, undoing].find((mutation) => mutation.isPending)?.variables;
  return { skip, unskip, pendingAt: pending?.startsAt ?? null };
}
