'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatLatency } from '@/app/_components/format';
import { stateWords } from '@/app/_components/status/states';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { Check } from '@/server/monitor-types/schema';

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

/** The input for one hour of maintenance of these monitors. */
export function maintenanceOf(monitors: readonly Named[]) {
  const what = monitors.length === 1 ? monitors[0]?.name : `${monitors.length} monitors`;
  return { title: `Maintenance of ${what}`.slice(0, 200), minutes: 60, monitorIds: monitors.map(({ id }) => id) };
}

/** Actions on a monitor: check now, pause, resume, start maintenance. Each shows a toast; pausing and maintenance can be undone. */
export function useMonitorActions() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.monitors.pathFilter());
  const onError = (error: unknown) => toast.error(readApiError(error).message);
  const checking = useMutation(trpc.monitors.check.mutationOptions({ onSettled: refresh, onError }));
  const updating = useMutation(trpc.monitors.update.mutationOptions({ onSettled: refresh, onError }));

  const starting = useMutation(trpc.maintenance.start.mutationOptions({ onSettled: refresh, onError }));
  const ending = useMutation(trpc.maintenance.end.mutationOptions({ onSettled: refresh, onError }));

  /** Starts one hour of maintenance, with an undo. */
  function startMaintenance(monitor: Named) {
    const onSuccess = ({ maintenanceWindow: { id } }: { maintenanceWindow: { id: string } }) =>
      toast(`Started maintenance of ${monitor.name} for 1 h`, {
        state: 'maintenance',
        action: { label: 'End now', onClick: () => ending.mutate({ id }) },
      });
    starting.mutate(maintenanceOf([monitor]), { onSuccess });
  }

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

  return { checkNow, setActive, startMaintenance, isChecking: checking.isPending, isUpdating: updating.isPending };
}
