'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTRPC } from '@/app/_trpc/client';
import type { Monitor, MonitorType } from '@/server/monitor-types/schema';
import { MonitorForm } from './form/monitor-form';

/** Creates a monitor, maybe as a copy of another one, and opens its page, which shows the first result. */
export function NewMonitor({ type, copied }: { type: MonitorType; copied: Monitor | undefined }) {
  const trpc = useTRPC();
  const router = useRouter();
  const creating = useMutation(trpc.monitors.create.mutationOptions());
  return (
    <MonitorForm
      type={type}
      copied={copied}
      backTo="/monitors"
      onSave={async (input) => {
        const { monitor } = await creating.mutateAsync(input);
        router.push(`/monitors/${monitor.id}`);
      }}
    />
  );
}
