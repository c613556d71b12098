'use client';

import { useMutation } from '@tanstack/react-query';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { useTRPC } from '@/app/_trpc/client';

export interface LeaveDialogProps {
  open: boolean;
  myId: string;
  team: { name: string };
  otherTeams: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Asks before a person leaves the team; afterwards they go on in another of theirs. */
export function LeaveDialog({ open, myId, team, otherTeams, onClose }: LeaveDialogProps) {
  const trpc = useTRPC();
  const { switchTo } = useSwitchTeam();
  const [next] = otherTeams;
  const leaving = useMutation(
    trpc.teams.members.remove.mutationOptions({
      onSuccess: () => (next ? switchTo(next.id) : window.location.assign('/monitors')),
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Leave “${team.name}”?`}
      safe="Stay"
      verb="Leave team"
      danger
      doing={{ ...leaving, isPending: leaving.isPending || leaving.isSuccess }}
      onConfirm={() => leaving.mutate({ userId: myId })}
    >
      You lose access at once. The API keys you created here stop working, and invitations you sent are revoked. To come
      back you need an invitation.
      {next ? ` You go on in “${next.name}”.` : ' You are in no other team.'}
    </ConfirmDialog>
  );
}
