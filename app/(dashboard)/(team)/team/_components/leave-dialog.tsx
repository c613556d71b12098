'use client';

import { useMutation } from '@tanstack/react-query';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { useTRPC } from '@/app/_trpc/client';

export interface LeaveDialogProps {
  open: boolean;
  myId: string;
  team: { name: string };
  otherTeams: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Confirms that the user leaves the team; then switches to another of their teams. */
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
    <AlertDialog
      open={open}
      onClose={onClose}
      title={`Leave “${team.name}”?`}
      safe="Cancel"
      verb="Leave team"
      danger
      doing={{ ...leaving, isPending: leaving.isPending || leaving.isSuccess }}
      onConfirm={() => leaving.mutate({ userId: myId })}
    >
      You lose access immediately. API keys you created in this team stop working, and invitations you sent are revoked.
      You need a new invitation to rejoin.
      {next ? ` You will switch to “${next.name}”.` : ' You are not in any other team.'}
    </AlertDialog>
  );
}
