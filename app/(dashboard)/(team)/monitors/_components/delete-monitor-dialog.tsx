'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';

export interface DeleteMonitorDialogProps {
  /** The monitor to delete; null closes the dialog. */
  monitor: { id: string; name: string } | null;
  onClose: () => void;
  /** Called with true when the deletion starts and with false if it fails. The monitor's queries pause in between. */
  onDeleting?: (isDeleting: boolean) => void;
  onDeleted?: () => void;
}

/** Confirms the deletion of a monitor and its history. */
export function DeleteMonitorDialog({ monitor, onClose, onDeleting, onDeleted }: DeleteMonitorDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const deleting = useMutation(
    trpc.monitors.delete.mutationOptions({
      onMutate: () => onDeleting?.(true),
      onError: () => onDeleting?.(false),
      onSuccess: async () => {
        toast(`Deleted ${monitor?.name ?? 'the monitor'}`);
        onClose();
        onDeleted?.();
        await Promise.all([
          queryClient.invalidateQueries(trpc.monitors.overview.pathFilter()),
          queryClient.invalidateQueries(trpc.monitors.order.pathFilter()),
        ]);
      },
    }),
  );
  return (
    <AlertDialog
      open={monitor !== null}
      onClose={onClose}
      title={`Delete “${monitor?.name ?? ''}”?`}
      safe="Cancel"
      verb="Delete monitor"
      danger
      doing={deleting}
      onConfirm={() => monitor && deleting.mutate({ id: monitor.id })}
    >
      Its check history is deleted. Its incidents are kept; an open incident is resolved.
    </AlertDialog>
  );
}
