'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { toast } from '@/app/_components/toasts';
import { useTRPC } from '@/app/_trpc/client';
import type { Monitor } from '@/server/monitors/schema';
import { MonitorForm } from './form/monitor-form';

/** Changes a monitor; its type stays. A secret left as its mask stays as it was. */
export function EditMonitor({ monitor }: { monitor: Monitor }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.monitors.update.mutationOptions());
  return (
    <MonitorForm
      monitor={monitor}
      backTo={`/monitors/${monitor.id}`}
      onSave={async ({ type: _fixed, ...changes }) => {
        await updating.mutateAsync({ id: monitor.id, ...changes });
        void queryClient.invalidateQueries(trpc.monitors.pathFilter());
        toast({ message: `Saved ${changes.name}` });
        router.push(`/monitors/${monitor.id}`);
      }}
    />
  );
}
