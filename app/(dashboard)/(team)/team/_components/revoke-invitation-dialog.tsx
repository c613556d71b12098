'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';
import type { PendingInvitation } from '@/server/teams/schema';

export interface RevokeInvitationDialogProps {
  /** The invitation to revoke; null closes the dialog. */
  invitation: PendingInvitation | null;
  onClose: () => void;
}

export function RevokeInvitationDialog({ invitation, onClose }: RevokeInvitationDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const email = invitation?.email ?? '';
  const revoking = useMutation(
    trpc.teams.invitations.revoke.mutationOptions({
      onSuccess: () => {
        toast(`Revoked the invitation for ${email}`);
        onClose();
      },
      onSettled: () => queryClient.invalidateQueries(trpc.teams.invitations.list.pathFilter()),
    }),
  );
  return (
    <AlertDialog
      open={invitation !== null}
      onClose={onClose}
      title={`Revoke the invitation for ${email}?`}
      safe="Cancel"
      verb="Revoke invitation"
      danger
      doing={revoking}
      onConfirm={() => invitation && revoking.mutate({ id: invitation.id })}
    >
      The link stops working immediately. You can invite the same address again at any time.
    </AlertDialog>
  );
}
