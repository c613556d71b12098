'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useEdit } from '@/app/_components/forms/use-edit';
import { ManagedByGit } from '@/app/_components/managed-by-git';
import { NotLoaded } from '@/app/_components/not-loaded';
import { DetailList, PageHead } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { useTitle } from '@/app/_components/use-title';
import { useTRPC } from '@/app/_trpc/client';
import {
  type CreateMaintenanceWindowInput,
  type MaintenanceWindow,
  recurrenceText,
  scopeText,
  spanText,
} from '@/server/maintenance/schema';
import { ComingWindows } from './coming-windows';
import { DeleteWindow } from './delete-window';
import { withSeconds } from './window-fields';
import { WindowForm } from './window-form';

export interface WindowViewProps {
  id: string;
  initial: { maintenanceWindow: MaintenanceWindow } | undefined;
  canWrite: boolean;
}

export function WindowView({ id, initial, canWrite }: WindowViewProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  const query = useQuery(
    trpc.maintenance.get.queryOptions({ id }, { enabled: !isDeleting, ...(initial && { initialData: initial }) }),
  );
  const window = query.data?.maintenanceWindow;
  useTitle(`${window?.title ?? 'Maintenance'} · Upwatch`);
  if (!window) return <NotLoaded query={query} noun="the maintenance window" />;
  const times = spanText(window, window.timezone, Date.now());
  return (
    <>
      <PageHead title={window.title} note={recurrenceText(window.recurrence)}>
        <ManagedByGit externalId={window.externalId} />
        {canWrite ? (
          <DeleteWindow window={window} onDeleting={setDeleting} onDeleted={() => router.push('/maintenance')} />
        ) : null}
      </PageHead>
      {canWrite ? (
        <EditWindow key={window.id} window={window} />
      ) : (
        <>
          {window.recurrence === null ? null : <ComingWindows window={window} canWrite={false} />}
          <DetailList
            className="max-w-[560px]"
            facts={[
              ['Time', `${times} (${window.timezone.replaceAll('_', ' ')})`],
              ['Monitors', scopeText(window)],
              ['Checks', window.checks === 'pause' ? 'Paused' : 'Continue'],
              ['Status pages', window.isAnnounced ? 'Announced' : 'Not announced'],
              ['Description', window.description],
            ]}
          />
        </>
      )}
    </>
  );
}

/** The part of a window that the form edits, as text for comparison. */
const fieldsOf = ({ updatedAt: _updated, next: _next, skipped: _skipped, ...fields }: MaintenanceWindow) =>
  JSON.stringify(fields);

function EditWindow({ window }: { window: MaintenanceWindow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.maintenance.update.mutationOptions());
  const { base, key, conflict, onSave, ...edit } = useEdit({
    latest: window,
    save: async (input: CreateMaintenanceWindowInput, ifUpdatedAt) =>
      (await updating.mutateAsync({ id: window.id, ...withSeconds(input, window), ifUpdatedAt })).maintenanceWindow,
    read: async () => {
      const options = trpc.maintenance.get.queryOptions({ id: window.id }, { staleTime: 0 });
      return (await queryClient.fetchQuery(options)).maintenanceWindow;
    },
    onSaved: ({ title }) => {
      toast(`Saved ${title}`);
      void queryClient.invalidateQueries(trpc.maintenance.pathFilter());
      void queryClient.invalidateQueries(trpc.monitors.pathFilter());
    },
  });
  const skipped = (saved: MaintenanceWindow) => {
    // A skipped occurrence is not a conflict with the edit, unless somebody else has changed other fields too.
    const isOnlySkip = edit.version === window.updatedAt && fieldsOf(saved) === fieldsOf(window);
    if (isOnlySkip) edit.setVersion(saved.updatedAt);
  };
  return (
    <>
      {window.recurrence === null ? null : <ComingWindows window={window} canWrite onChanged={skipped} />}
      <WindowForm key={key} window={base} edit={edit} onSave={onSave} />
      {conflict}
    </>
  );
}
