'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';
import type { Member } from '@/server/teams/schema';

export interface RemoveMemberDialogProps {
  /** The member to remove; null closes the dialog. */
  member: Member | null;
  teamName: string;
  onClose: () => void;
}

export function RemoveMemberDialog({ member, teamName, onClose }: RemoveMemberDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const name = member ? (member.name ?? member.email) : '';
  const removing = useMutation(
    trpc.teams.members.remove.mutationOptions({
      onSuccess: async () => {
        toast(`Removed ${name}`);
        onClose();
        await queryClient.invalidateQueries(trpc.teams.pathFilter());
      },
    }),
  );
  return (
    <AlertDialog
      open={member !== null}
      onClose={onClose}
      title={`Remove ${name} from “${teamName}”?`}
      safe="Cancel"
      verb="Remove member"
      danger
      doing={removing}
      onConfirm={() => member && removing.mutate({ userId: member.id })}
    >
      They lose access immediately. API keys they created in this team stop working, and invitations they sent are
      revoked. Everything else they created is kept.
    </AlertDialog>
  );
}
