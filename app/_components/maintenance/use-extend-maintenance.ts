'use client';

import { useMutation } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { useRefreshMaintenance } from './use-refresh-maintenance';

const MINUTES = 30;

/** Extends the current occurrence of a running window by 30 min. */
export function useExtendMaintenance() {
  const trpc = useTRPC();
  const refresh = useRefreshMaintenance();
  const extending = useMutation(
    trpc.maintenance.extend.mutationOptions({
      onError: (error) => toast.error(readApiError(error).message),
      onSettled: refresh,
    }),
  );
  const extend = ({ id, title }: { id: string; title: string }) =>
    extending.mutate({ id, minutes: MINUTES }, { onSuccess: () => toast(`Extended ${title} by ${MINUTES} min`) });
  return { extend, extendingId: extending.isPending ? extending.variables.id : null };
}
