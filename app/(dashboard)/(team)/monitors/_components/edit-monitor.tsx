'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEdit } from '@/app/_components/forms/use-edit';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { CreateMonitorInput, Monitor } from '@/server/monitor-types/schema';
import { MonitorForm } from './form/monitor-form';
import { ParentSection } from './parent-section';

/** Edits a monitor, but not its type. A secret that is sent as its mask keeps its stored value. */
export function EditMonitor({ monitor }: { monitor: Monitor }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.monitors.update.mutationOptions());
  const { base, key, conflict, onSave, ...edit } = useEdit({
    latest: monitor,
    save: async ({ type: _fixed, ...changes }: CreateMonitorInput, ifUpdatedAt) =>
      (await updating.mutateAsync({ id: monitor.id, ...changes, ifUpdatedAt })).monitor,
    read: async () => {
      const options = trpc.monitors.get.queryOptions({ id: monitor.id }, { staleTime: 0 });
      return (await queryClient.fetchQuery(options)).monitor;
    },
    onSaved: ({ id, name }) => {
      void queryClient.invalidateQueries(trpc.monitors.pathFilter());
      toast(`Saved ${name}`);
      router.push(`/monitors/${id}`);
    },
  });
  return (
    <>
      <MonitorForm key={key} monitor={base} edit={edit} backTo={`/monitors/${monitor.id}`} onSave={onSave} />
      {conflict}
      <ParentSection monitorId={monitor.id} />
    </>
  );
}
