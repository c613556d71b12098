'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { linkClass, Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';

/** The setting for the monitor that this one depends on. Saved at once. */
export function ParentSection({ monitorId }: { monitorId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.monitors.parent.get.queryOptions({ id: monitorId }));
  const setting = useMutation(
    trpc.monitors.parent.set.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.monitors.parent.get.queryKey({ id: monitorId }), saved);
        toast('Dependency saved');
      },
    }),
  );
  const dependency = query.data?.dependency;
  if (!dependency) return null;
  const { parentId, parentName } = dependency;
  return (
    <Section title="Depends on" className="max-w-[640px]">
      <p className="mb-3 text-small text-muted">While that monitor is down, no alerts are sent for this one.</p>
      {parentId === null ? (
        <FindMonitor
          label="Monitor"
          verb="Choose"
          listLabel="Monitors to depend on"
          taken={[monitorId]}
          optional
          onChoose={(chosen) => setting.mutate({ id: monitorId, parentId: chosen.id })}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Link href={`/monitors/${parentId}`} className={linkClass}>
            {parentName}
          </Link>
          <Button busy={setting.isPending} onClick={() => setting.mutate({ id: monitorId, parentId: null })}>
            Remove
          </Button>
        </div>
      )}
      <FormProblem>{setting.error ? readApiError(setting.error).message : null}</FormProblem>
    </Section>
  );
}
