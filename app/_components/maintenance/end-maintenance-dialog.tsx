'use client';

import { useMutation } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';
import { useRefreshMaintenance } from './use-refresh-maintenance';

export interface EndMaintenanceDialogProps {
  /** The running window to end; null closes the dialog. */
  window: { id: string; title: string } | null;
  onClose: () => void;
}

/** Confirms ending the current occurrence of a window. */
export function EndMaintenanceDialog({ window, onClose }: EndMaintenanceDialogProps) {
  const trpc = useTRPC();
  const refresh = useRefreshMaintenance();
  const ending = useMutation(
    trpc.maintenance.end.mutationOptions({
      onSuccess: ({ maintenanceWindow }) => {
        toast(`Ended ${maintenanceWindow.title}`);
        onClose();
      },
      onSettled: refresh,
    }),
  );
  return (
    <AlertDialog
      open={window !== null}
      onClose={onClose}
      title={`End “${window?.title}” now?`}
      safe="Cancel"
      verb="End maintenance"
      doing={ending}
      onConfirm={() => window && ending.mutate({ id: window.id })}
    >
      Monitors that are still failing open an incident and alert immediately. If the window repeats, the next one takes
      place as scheduled.
    </AlertDialog>
  );
}
