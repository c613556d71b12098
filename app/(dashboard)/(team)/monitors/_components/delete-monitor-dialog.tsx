'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toasts';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { useTRPC } from '@/app/_trpc/client';

export interface DeleteMonitorDialogProps {
  /** The monitor in question; null closes the dialog. */
  monitor: { id: string; name: string } | null;
  onClose: () => void;
  /** From the first moment of deleting on; false again where it failed. What reads the monitor stops meanwhile. */
  onDeleting?: (isDeleting: boolean) => void;
  onDeleted?: () => void;
}

/** Asks before a monitor and its history go. */
export function DeleteMonitorDialog({ monitor, onClose, onDeleting, onDeleted }: DeleteMonitorDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const deleting = useMutation(
    trpc.monitors.delete.mutationOptions({
      onMutate: () => onDeleting?.(true),
      onError: () => onDeleting?.(false),
      onSuccess: async () => {
        toast({ message: `Deleted ${monitor?.name ?? 'the monitor'}` });
        onClose();
        onDeleted?.();
        await queryClient.invalidateQueries(trpc.monitors.overview.pathFilter());
      },
    }),
  );
  return (
    <ConfirmDialog
      open={monitor !== null}
      onClose={onClose}
      title={`Delete “${monitor?.name ?? ''}”?`}
      safe="Keep it"
      verb="Delete monitor"
      danger
      doing={deleting}
      onConfirm={() => monitor && deleting.mutate({ id: monitor.id })}
    >
      Its history of checks goes with it. Its incidents stay; one that is open is resolved.
    </ConfirmDialog>
  );
}
