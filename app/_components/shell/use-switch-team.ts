'use client';

import { useMutation } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** Switches the team and reloads, because everything on the page belongs to the old team. */
export function useSwitchTeam(): { switchTo: (teamId: string) => void; isSwitching: boolean } {
  const trpc = useTRPC();
  const switching = useMutation(
    trpc.auth.switchTeam.mutationOptions({
      onSuccess: () => window.location.assign('/monitors'),
      onError: (error) => toast.error(readApiError(error).message),
    }),
  );
  return {
    switchTo: (teamId) => switching.mutate({ teamId }),
    isSwitching: switching.isPending || switching.isSuccess,
  };
}
