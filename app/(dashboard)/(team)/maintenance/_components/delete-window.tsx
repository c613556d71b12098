'use client';

import { useQueryClient } from '@tanstack/react-query';
import { DeleteButton } from '@/app/_components/delete-button';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { MaintenanceWindow } from '@/server/maintenance/schema';

export interface DeleteWindowProps {
  window: MaintenanceWindow;
  /** Called with true when the deletion starts and with false if it fails. */
  onDeleting: (isDeleting: boolean) => void;
  onDeleted: () => void;
}

export function DeleteWindow({ window, onDeleting, onDeleted }: DeleteWindowProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return (
    <DeleteButton
      name={window.title}
      verb="Delete window"
      remove={() => client.maintenance.delete.mutate({ id: window.id })}
      onDeleting={onDeleting}
      onDeleted={() => {
        void queryClient.invalidateQueries(trpc.maintenance.list.pathFilter());
        void queryClient.invalidateQueries(trpc.monitors.pathFilter());
        onDeleted();
      }}
    >
      If it is running, it ends now, and monitors that are still failing open an incident. Past maintenance stays in the
      history.
    </DeleteButton>
  );
}
