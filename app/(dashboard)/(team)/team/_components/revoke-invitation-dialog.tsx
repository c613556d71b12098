'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toasts';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { useTRPC } from '@/app/_trpc/client';
import type { PendingInvitation } from '@/server/teams/schema';

export interface RevokeInvitationDialogProps {
  /** The invitation in question; null closes the dialog. */
  invitation: PendingInvitation | null;
  onClose: () => void;
}

/** Asks before a link dies. */
export function RevokeInvitationDialog({ invitation, onClose }: RevokeInvitationDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const email = invitation?.email ?? '';
  const revoking = useMutation(
    trpc.teams.invitations.revoke.mutationOptions({
      onSuccess: () => {
        toast({ message: `Revoked the invitation of ${email}` });
        onClose();
      },
      onSettled: () => queryClient.invalidateQueries(trpc.teams.invitations.list.pathFilter()),
    }),
  );
  return (
    <ConfirmDialog
      open={invitation !== null}
      onClose={onClose}
      title={`Revoke the invitation of ${email}?`}
      safe="Keep it"
      verb="Revoke invitation"
      danger
      doing={revoking}
      onConfirm={() => invitation && revoking.mutate({ id: invitation.id })}
    >
      Its link stops working at once. You can invite the same address again at any time.
    </ConfirmDialog>
  );
}
