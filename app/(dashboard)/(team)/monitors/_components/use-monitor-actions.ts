'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatLatency } from '@/app/_components/format';
import { stateWords } from '@/app/_components/status/states';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Check } from '@/server/monitors/schema';

interface Named {
  id: string;
  name: string;
}

function verdict({ status, statusCode, latencyMs, error }: Check): string {
  const seen = [statusCode, latencyMs === null ? null : formatLatency(latencyMs)].filter((part) => part !== null);
  if (error) return `${stateWords[status].toLowerCase()}. ${error}`;
  return seen.length > 0
    ? `${stateWords[status].toLowerCase()}, ${seen.join(' in ')}`
    : stateWords[status].toLowerCase();
}

/** Check now, pause and resume, each with a toast; pausing can be undone. */
export function useMonitorActions() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.monitors.pathFilter());
  const onError = (error: unknown) => toast.error(readApiError(error).message);
  const checking = useMutation(trpc.monitors.check.mutationOptions({ onSettled: refresh, onError }));
  const updating = useMutation(trpc.monitors.update.mutationOptions({ onSettled: refresh, onError }));

  function checkNow({ id, name }: Named) {
    const onSuccess = ({ check }: { check: Check }) => toast(`${name}: ${verdict(check)}`, { state: check.status });
    checking.mutate({ id }, { onSuccess });
  }

  function setActive(monitor: Named, isActive: boolean) {
    const onSuccess = () =>
      toast(`${isActive ? 'Resumed' : 'Paused'} ${monitor.name}`, {
        action: { label: 'Undo', onClick: () => setActive(monitor, !isActive) },
      });
    updating.mutate({ id: monitor.id, isActive }, { onSuccess });
  }

  return { checkNow, setActive, isChecking: checking.isPending, isUpdating: updating.isPending };
}
