'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DeleteButton } from '@/app/_components/delete-button';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { MaintenanceWindow } from '@/server/maintenance/schema';

export interface DeleteWindowProps {
  window: MaintenanceWindow;
  /** Called with true when the deletion starts and with false if it fails. */
  onDeleting: (isDeleting: boolean) => void;
  onDeleted: () => void;
}

export function DeleteWindow({ window, onDeleting, onDeleted }: DeleteWindowProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const deleting = useMutation(
    trpc.maintenance.delete.mutationOptions({
      onMutate: () => onDeleting(true),
      onError: () => onDeleting(false),
      onSuccess: () => {
        toast(`Deleted ${window.title}`);
        void queryClient.invalidateQueries(trpc.maintenance.list.pathFilter());
        void queryClient.invalidateQueries(trpc.monitors.pathFilter());
        onDeleted();
      },
    }),
  );
  return (
    <DeleteButton
      name={window.title}
      verb="Delete window"
      doing={deleting}
      onConfirm={() => deleting.mutate({ id: window.id })}
    >
      If it is running, it ends now, and monitors that are still failing open an incident. Past maintenance stays in the
      history.
    </DeleteButton>
  );
}
